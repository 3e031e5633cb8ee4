"""The rows of the table of faults that are about the machine, and which tests show what happens."""

from __future__ import annotations

import ast
import errno
import multiprocessing
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.backend.runtime import cache
from functrans.backend.runtime.library import load
from functrans.config import config
from tests.backend.runtime.house import DOUBLE, check

TESTS = Path(__file__).parent
TROUBLE, TOOLS, CACHE, REENTRY = (
    f"backend/runtime/test_{name}.py" for name in ("trouble", "toolchain", "cache", "reentry")
)
ROWS: dict[int, list[str]] = {
    34: [
        "transforms/test_jit.py::test_out_of_any_layout",
        "transforms/test_jit.py::test_row_34_out_may_overlap_the_arguments",
        "transforms/test_jit.py::test_row_34_what_cannot_be_written",
        "transforms/test_launch_arguments.py::test_arrays_of_every_layout",
    ],
    35: ["test_faults.py::test_row_35_arguments_that_another_thread_changes"],
    36: [
        "test_faults.py::test_row_36_more_than_64_bit_indices_reach",
        "backend/test_plan.py::test_memory_that_cannot_be_had_is_refused_before_anything_runs",
        "transforms/test_launch.py::test_memory_that_cannot_be_had",
    ],
    41: [
        "test_faults.py::test_row_41_a_disk_that_is_full_while_it_is_written",
        f"{CACHE}::test_a_directory_that_cannot_be_written",
        f"{CACHE}::test_a_workspace_beside_the_cache_if_need_be",
    ],
    42: [f"{TROUBLE}::test_sixteen_processes_compile_the_same_text"],
    43: [
        f"{CACHE}::test_a_directory_to_distrust_gives_one_warning_and_a_private_one",
        f"{CACHE}::test_a_directory_of_another_user",
    ],
    44: [
        f"{TROUBLE}::test_libraries_that_do_not_load_from_the_cache",
        f"{TROUBLE}::test_a_foreign_library_is_made_anew",
        "backend/runtime/test_library.py::test_another_cpu_or_compiler_compiles_anew",
    ],
    45: [
        "test_faults.py::test_row_45_a_spawned_process",
        f"{TROUBLE}::test_a_fork_uses_what_the_parent_loaded",
        f"{TROUBLE}::test_a_fork_is_not_blocked_by_a_lock_of_another_thread",
        "backend/test_threads.py::test_after_a_fork_the_child_has_threads_of_its_own",
        "transforms/test_launch.py::test_after_a_fork",
        "transforms/test_jit.py::test_a_jitted_function_is_pickled_as_functions_are",
        "backend/test_ready.py::test_a_compiled_function_is_pickled_as_its_graph",
    ],
    46: [
        "test_faults.py::test_row_46_eight_threads_and_a_first_call",
        "backend/runtime/test_library.py::test_eight_threads_compile_once_and_get_one_object",
        "transforms/test_launch.py::test_eight_threads_at_once",
    ],
    47: [
        "backend/test_interrupt.py::test_row_47_a_long_kernel_is_left_on_the_way",
        f"{TOOLS}::test_ctrl_c_kills_the_compiler_and_leaves_nothing",
    ],
    50: [
        "test_config.py::test_nonsense_names_the_variable_and_what_is_expected",
        f"{TOOLS}::test_functrans_cc_is_split_and_no_shell_reads_it",
        f"{TOOLS}::test_functrans_cc_that_fails_never_falls_through",
    ],
    51: [
        "test_faults.py::test_row_51_names_of_functions",
        "test_faults.py::test_row_51_names_of_directories",
    ],
    52: [
        f"{TOOLS}::test_a_wrapper_that_reads_its_input_twice",
        f"{TOOLS}::test_a_wrapper_by_the_name_of_a_compiler",
        f"{TOOLS}::test_a_wrapper_that_leaves_a_server_running",
        "backend/runtime/test_child.py::test_its_end_is_the_end_whatever_holds_its_output",
    ],
    53: [
        f"{REENTRY}::test_a_signal_handler",
        f"{REENTRY}::test_a_signal_handler_at_any_time",
        f"{REENTRY}::test_the_collector",
        f"{REENTRY}::test_the_collector_at_every_line",
        f"{REENTRY}::test_a_fork_inside_of_a_trace",
        f"{REENTRY}::test_threads_that_wait_for_one_another_go_on",
    ],
    54: [
        f"{CACHE}::test_no_file_is_taken_for_another",
        f"{TROUBLE}::test_libraries_that_were_swapped_are_made_anew",
        f"{TOOLS}::test_a_record_that_makes_no_sense_is_made_anew",
        "backend/test_ready.py::test_a_damaged_plan_is_made_anew",
        "backend/runtime/test_machine.py::test_measurements_that_make_no_sense_are_made_anew",
    ],
    55: [
        f"{TROUBLE}::test_scratch_files_go_elsewhere_where_there_is_no_room",
        f"{TROUBLE}::test_where_nothing_can_be_loaded_or_written_the_interpreter_answers",
        f"{TROUBLE}::test_libraries_that_do_not_load_from_the_cache",
    ],
    56: [f"{TROUBLE}::test_where_no_thread_can_be_started"],
    57: [
        "test_faults.py::test_row_57_signatures",
        "transforms/test_launch_arguments.py::test_dropped_results_of_several_functions_have_one_budget",
        f"{CACHE}::test_what_was_used_longest_ago_goes",
        f"{CACHE}::test_what_a_killed_process_left_is_swept",
        "backend/runtime/test_library.py::test_libraries_used_longest_ago_are_closed_unless_they_are_held",
        "backend/runtime/test_library.py::test_a_library_that_runs_is_not_closed",
    ],
    58: [
        "test_faults.py::test_row_58_more_than_64_axes",
        f"{TROUBLE}::test_no_descriptors_are_left",
        f"{TROUBLE}::test_the_working_directory_is_gone",
        "test_config.py::test_nonsense_names_the_variable_and_what_is_expected",
    ],
    59: [
        "laws/test_integers.py::test_programs_of_scalars",
        "laws/test_integers.py::test_programs_of_arrays",
        "laws/test_integers.py::test_programs_are_interpreted_alike",
        "laws/test_integers.py::test_every_pair_of_edges_chosen_and_one_step_on",
        "laws/test_integers.py::test_each_edge_comes_back",
        "laws/test_integers.py::test_what_does_not_fit",
    ],
    60: [
        "transforms/test_jit.py::test_row_60_arrays_of_one_out_that_share_memory",
        "transforms/test_jit.py::test_row_60_arrays_of_one_out_that_lie_apart",
    ],
    68: [
        "export/test_errors.py::test_names_that_c_does_not_take",
        "export/test_errors.py::test_options",
        "export/test_errors.py::test_row_68_null_and_short_memory_write_nothing",
        "export/test_plain.py::test_memory_is_that_of_its_arguments",
        "export/test_plain.py::test_a_refused_matrix_is_told",
        "export/test_casadi.py::test_null_is_zero_and_not_wanted",
    ],
    69: [
        "test_lazy.py::test_an_absent_module_says_how_to_get_it",
        "test_lazy.py::test_row_69_an_absent_module_of_an_extra",
        "test_lazy.py::test_row_69_an_older_package",
        "test_lazy.py::test_row_69_versions_are_those_of_the_extra",
        "programs/test_casadi_solvers.py::test_a_solver_that_casadi_does_not_have",
        "programs/test_casadi_solvers.py::test_without_casadi",
    ],
    70: [
        "test_dask.py::test_a_killed_workers_chunks_are_done_again",
        "examples/test_scenarios.py::test_row_70_a_killed_run",
        "examples/test_scenarios.py::test_row_70_a_killed_worker",
        "examples/test_scenarios.py::test_row_70_pools_that_always_break",
        "examples/test_scenarios.py::test_row_70_a_full_store",
    ],
}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_has_its_tests(row: int) -> None:
    for place in ROWS[row]:
        path, _, name = place.partition("::")
        names = {n.name for n in ast.parse((TESTS / path).read_text()).body if isinstance(n, ast.FunctionDef)}
        assert name in names, place
    page = (TESTS.parent / "docs" / "reference" / "faults.md").read_text()
    assert f"| {row} |" in page


def test_row_35_arguments_that_another_thread_changes() -> None:
    f = ft.jit(lambda x: np.cumsum(np.sin(x)))
    x, stop = np.ones(20_000), threading.Event()

    def change() -> None:
        while not stop.is_set():
            x[:] = -x

    thread = threading.Thread(target=change)
    thread.start()
    try:
        results = [f(x) for _ in range(50)]
    finally:
        stop.set()
        thread.join()
    # each value that is read is one of those that were there
    steps = np.abs(np.diff(np.stack(results), axis=1))
    np.testing.assert_allclose(steps, np.sin(1.0), rtol=1e-9)
    x[:] = 1.0
    np.testing.assert_allclose(f(x), np.sin(1.0) * np.arange(1, x.size + 1), rtol=1e-12)


@pytest.mark.parametrize("shape", [(2**40, 2**40), (2**60,)])
def test_row_36_more_than_64_bit_indices_reach(shape: tuple[int, ...]) -> None:
    with pytest.raises(ft.OutOfMemory, match=r"64-bit indices.*test_faults\.py"):
        ft.jit(lambda x: fnp.broadcast_to(x, shape).sum())(np.ones(1))
    with pytest.raises(MemoryError, match=f"shape .{shape[0]},"):
        fnp.zeros(shape)
    with pytest.raises(ft.OutOfMemory, match="64-bit indices"):
        ft.vmap(lambda x: x, in_axes=None, axis_size=shape[0])(np.ones(2**20))


def test_row_41_a_disk_that_is_full_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = tmp_path / "cache"
    real, full = os.fsync, [wanted]

    def fsync(descriptor: int) -> None:
        name = os.readlink(f"/proc/self/fd/{descriptor}")
        if any(name.startswith(f"{d}/") for d in map(str, full)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr("functrans.debug._warned", set())
    with config.override(cache_dir=wanted):
        store = cache.current()
        with pytest.warns(ft.FunctransWarning, match="No space left"):
            path = store.put("a.so", b"the library")
        assert store.read("a.so") == b"the library" and not path.startswith(str(wanted))
        assert list(wanted.iterdir()) == []  # nothing half written
        full.append(Path(store.directory).parent)  # all there is
        with pytest.raises(ft.CompileError, match=r"No space left.*free some space"):
            store.put("b.so", b"another")


def cubes(x: np.ndarray) -> np.ndarray:
    return ft.jit(lambda v: v * v * v)(x)


def test_row_45_a_spawned_process() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        np.testing.assert_array_equal(pool.apply(cubes, (np.arange(4.0),)), [0.0, 1.0, 8.0, 27.0])


def test_row_46_eight_threads_and_a_first_call(compiler: None) -> None:
    traces: list[int] = []

    @ft.jit
    def f(x: np.ndarray) -> np.ndarray:
        traces.append(1)
        return np.exp(x) * 46.25

    barrier, results = threading.Barrier(8), []

    def call(k: int) -> None:
        barrier.wait()
        results.append((k, f(np.full(3, float(k)))))

    threads = [threading.Thread(target=call, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(timeout=120)
    assert len(results) == 8 and len(traces) == 1
    for k, r in results:
        np.testing.assert_allclose(r, np.exp(np.full(3, float(k))) * 46.25, rtol=1e-14)


NAMES = ['"', "'; rm -rf x; '", "a b\n*/ int", "größe²", "名前", "for", "x" * 5000, "../../up", "\\", "%s%n", "??/"]


@pytest.mark.parametrize("name", NAMES)
def test_row_51_names_of_functions(name: str, compiler: None) -> None:
    def f(x: np.ndarray) -> np.ndarray:
        return x * 51.5 + 1.0

    f.__name__ = f.__qualname__ = name
    jitted = ft.jit(f)
    np.testing.assert_array_equal(jitted(np.arange(3.0)), np.arange(3.0) * 51.5 + 1.0)
    text = jitted.lower(np.arange(3.0)).c_source
    assert name not in text or name == "for"
    with pytest.raises(ft.ArgumentError) as error:
        jitted("no array")
    assert name[:40] in str(error.value)


@pytest.mark.parametrize("name", ["two words", "quote'\"s", "größe 名前", "-o x.so", "$(touch x) `x`; *", "x" * 200])
def test_row_51_names_of_directories(name: str, tmp_path: Path, compiler: None) -> None:
    with config.override(cache_dir=tmp_path / name):
        check(load(DOUBLE + f"/* {name.encode().hex()} */"))
        assert list((tmp_path / name).glob("*.so"))
    code = "import functrans as ft, numpy as np; print(ft.jit(lambda x: x * 2.5)(np.ones(2)).sum())"
    environment = {**os.environ, "FUNCTRANS_CACHE_DIR": str(tmp_path / name), "TMPDIR": str(tmp_path / name)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout == "5.0\n", done.stderr


def test_row_57_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last ones that were used stay; the others are traced again when they come again."""
    for module in ("jit", "sparse.function"):
        monkeypatch.setattr(f"functrans.transforms.{module}.SIGNATURES", 3)
    traced: list[int] = []

    def f(x: np.ndarray) -> np.ndarray:
        traced.append(x.size)
        return x * x

    g, J = ft.jit(f), ft.spjacobian(lambda x: x * x)
    for n in (1, 2, 3, 1, 4, 5, 1):
        x = np.arange(float(n))
        np.testing.assert_array_equal(g(x), x * x)
        np.testing.assert_array_equal(J(x).diagonal(), 2 * x)
    assert traced == [1, 2, 3, 4, 5] and len(g._compiled) == len(g._arrays) == len(J._problems) == 3
    np.testing.assert_array_equal(g(np.arange(2.0)), [0.0, 1.0])
    assert len(g._compiled) == 3


AXES = {
    "reshape": lambda x: x.reshape((1,) * 65),
    "index": lambda x: x[(None,) * 64],
    "outer": lambda x: np.multiply.outer(x.reshape((1,) * 40), x.reshape((1,) * 40)),
    "broadcast": lambda x: fnp.broadcast_to(x, (1,) * 65),
    "gather": lambda x: x.reshape((1,) * 40)[np.zeros((1,) * 30, int)],
}


@pytest.mark.parametrize("how", AXES)
def test_row_58_more_than_64_axes(how: str) -> None:
    with pytest.raises(ft.ShapeError, match=r"(65|69|80) axes \(test_faults\.py:\d+\).*64 at the most"):
        ft.jit(AXES[how])(np.ones(1))
    with pytest.raises(ValueError, match="axes"):
        ft.vmap(lambda x: x.reshape((1,) * 64))(np.ones(3))
    most = np.ones((1,) * 63 + (2,))
    assert ft.jit(lambda x: x.sum(axis=-1) + x[..., 0])(most).shape == (1,) * 63
