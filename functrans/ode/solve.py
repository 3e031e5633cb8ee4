"""solve: initial value problems with steps that follow a tolerance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import functrans.numpy as fnp
from functrans import tree
from functrans.errors import ArgumentValueError, ShapeError, UnsupportedError, at_user_line
from functrans.ode.control import Tolerance
from functrans.ode.dormand_prince import EVALUATIONS
from functrans.ode.march import begin, ended, march, problem_of
from functrans.ode.problem import named, slope_of, stacked, start
from functrans.ode.solution import Solution, Stats
from functrans.tensor.core import Tensor
from functrans.trace import call


def solve(
    f: Callable[..., Any],
    t: Any,
    y0: Any,
    *args: Any,
    method: str = "dopri5",
    rtol: Any = 1e-6,
    atol: Any = 1e-9,
    max_steps: int = 10_000,
    first_step: Any = None,
) -> Solution:
    what = named(f, "ode.solve")

    def body(t,y0,args,rtol,atol,first_step):
        t,y=start(t,y0,what)
        p=problem_of(slope_of(f,args,what),t,Tolerance(rtol,atol),max_steps)
        s=begin(p,t,y,first_step,t.shape[0]>2)
        s,ys=march(p,s,t[1:])
        return Solution(t,stacked(y,ys),Stats(s.accepted_steps,s.rejected_steps,2+6*(s.accepted_steps+s.rejected_steps)),ended(p,s))
    return call(body,(t,y0,args,rtol,atol,first_step),{},what,lambda:["t","y0","args","rtol","atol","first_step"])
