"""The ufuncs of NumPy, by their usual names."""

from __future__ import annotations

import numpy as np

from functrans.numpy._wrap import binary, unary

absolute = unary(
    np.absolute, "absolute", "|x|; the modulus of a complex number.", "-2.5", "Tensor(2.5, dtype=float64)",
)  # fmt: skip
abs = unary(np.absolute, "abs", "|x|, as `absolute`.", "[-1, 2]", "Tensor([1, 2], dtype=int64)")
fabs = unary(np.fabs, "fabs", "|x| as a float.", "-2", "Tensor(2., dtype=float64)")
negative = unary(np.negative, "negative", "-x.", "[1.0, -2.0]", "Tensor([-1.,  2.], dtype=float64)")
positive = unary(np.positive, "positive", "+x: x itself.", "[1.0, -2.0]", "Tensor([ 1., -2.], dtype=float64)")
sign = unary(
    np.sign, "sign", "-1, 0 or 1 by the sign of x; x / |x| of a complex number; NaN of NaN.",
    "[-3.0, 0.0, 2.0]", "Tensor([-1.,  0.,  1.], dtype=float64)",
)  # fmt: skip
square = unary(np.square, "square", "x * x.", "[2, 3]", "Tensor([4, 9], dtype=int64)")
sqrt = unary(
    np.sqrt, "sqrt", "The square root; NaN of a negative number.", "2.0", "Tensor(1.41421356, dtype=float64)",
)  # fmt: skip
cbrt = unary(np.cbrt, "cbrt", "The cube root, negative for negative x.", "-8.0", "Tensor(-2., dtype=float64)")
reciprocal = unary(
    np.reciprocal, "reciprocal", "1 / x; of integers truncated, and 0 for 0.",
    "4.0", "Tensor(0.25, dtype=float64)",
)  # fmt: skip
exp = unary(np.exp, "exp", "e to the power x.", "1.0", "Tensor(2.71828183, dtype=float64)")
exp2 = unary(np.exp2, "exp2", "2 to the power x.", "3.0", "Tensor(8., dtype=float64)")
expm1 = unary(
    np.expm1, "expm1", "e to the power x, less 1, accurate near 0.", "1e-10", "Tensor(1.e-10, dtype=float64)",
)  # fmt: skip
log = unary(
    np.log, "log", "The natural logarithm; -inf of 0, NaN of a negative number.",
    "2.0", "Tensor(0.69314718, dtype=float64)",
)  # fmt: skip
log2 = unary(np.log2, "log2", "The logarithm to base 2.", "8.0", "Tensor(3., dtype=float64)")
log10 = unary(np.log10, "log10", "The logarithm to base 10.", "1000.0", "Tensor(3., dtype=float64)")
log1p = unary(
    np.log1p, "log1p", "The natural logarithm of 1 + x, accurate near 0.",
    "1e-10", "Tensor(1.e-10, dtype=float64)",
)  # fmt: skip
sin = unary(np.sin, "sin", "The sine; x in radians.", "0.5", "Tensor(0.47942554, dtype=float64)")
cos = unary(np.cos, "cos", "The cosine; x in radians.", "0.5", "Tensor(0.87758256, dtype=float64)")
tan = unary(np.tan, "tan", "The tangent; x in radians.", "0.5", "Tensor(0.54630249, dtype=float64)")
arcsin = unary(
    np.arcsin, "arcsin", "The angle from -pi/2 to pi/2 whose sine is x; NaN outside of [-1, 1].",
    "0.5", "Tensor(0.52359878, dtype=float64)",
)  # fmt: skip
asin = unary(
    np.arcsin, "asin", "The angle whose sine is x, as `arcsin`.", "0.5", "Tensor(0.52359878, dtype=float64)",
)  # fmt: skip
arccos = unary(
    np.arccos, "arccos", "The angle from 0 to pi whose cosine is x; NaN outside of [-1, 1].",
    "0.5", "Tensor(1.04719755, dtype=float64)",
)  # fmt: skip
acos = unary(
    np.arccos, "acos", "The angle whose cosine is x, as `arccos`.",
    "0.5", "Tensor(1.04719755, dtype=float64)",
)  # fmt: skip
arctan = unary(
    np.arctan, "arctan", "The angle from -pi/2 to pi/2 whose tangent is x.",
    "1.0", "Tensor(0.78539816, dtype=float64)",
)  # fmt: skip
atan = unary(
    np.arctan, "atan", "The angle whose tangent is x, as `arctan`.",
    "1.0", "Tensor(0.78539816, dtype=float64)",
)  # fmt: skip
sinh = unary(np.sinh, "sinh", "The hyperbolic sine.", "1.0", "Tensor(1.17520119, dtype=float64)")
cosh = unary(np.cosh, "cosh", "The hyperbolic cosine.", "1.0", "Tensor(1.54308063, dtype=float64)")
tanh = unary(np.tanh, "tanh", "The hyperbolic tangent.", "1.0", "Tensor(0.76159416, dtype=float64)")
arcsinh = unary(np.arcsinh, "arcsinh", "The inverse of `sinh`.", "1.0", "Tensor(0.88137359, dtype=float64)")
asinh = unary(
    np.arcsinh, "asinh", "The inverse of `sinh`, as `arcsinh`.", "1.0", "Tensor(0.88137359, dtype=float64)",
)  # fmt: skip
arccosh = unary(
    np.arccosh, "arccosh", "The inverse of `cosh`; NaN below 1.", "2.0", "Tensor(1.3169579, dtype=float64)",
)  # fmt: skip
acosh = unary(
    np.arccosh, "acosh", "The inverse of `cosh`, as `arccosh`.", "2.0", "Tensor(1.3169579, dtype=float64)",
)  # fmt: skip
arctanh = unary(
    np.arctanh, "arctanh", "The inverse of `tanh`; NaN outside of [-1, 1].",
    "0.5", "Tensor(0.54930614, dtype=float64)",
)  # fmt: skip
atanh = unary(
    np.arctanh, "atanh", "The inverse of `tanh`, as `arctanh`.", "0.5", "Tensor(0.54930614, dtype=float64)",
)  # fmt: skip
deg2rad = unary(np.deg2rad, "deg2rad", "Degrees as radians.", "180.0", "Tensor(3.14159265, dtype=float64)")
radians = unary(
    np.radians, "radians", "Degrees as radians, as `deg2rad`.", "180.0", "Tensor(3.14159265, dtype=float64)",
)  # fmt: skip
rad2deg = unary(np.rad2deg, "rad2deg", "Radians as degrees.", "3.0", "Tensor(171.88733854, dtype=float64)")
degrees = unary(
    np.degrees, "degrees", "Radians as degrees, as `rad2deg`.", "3.0", "Tensor(171.88733854, dtype=float64)",
)  # fmt: skip
floor = unary(
    np.floor, "floor", "The largest integer that is not above x.", "-1.5", "Tensor(-2., dtype=float64)",
)  # fmt: skip
ceil = unary(
    np.ceil, "ceil", "The smallest integer that is not below x.", "-1.5", "Tensor(-1., dtype=float64)",
)  # fmt: skip
trunc = unary(np.trunc, "trunc", "The integer part: towards zero.", "-1.5", "Tensor(-1., dtype=float64)")
rint = unary(
    np.rint, "rint", "The nearest integer, ties to even.",
    "[0.5, 1.5, 2.5]", "Tensor([0., 2., 2.], dtype=float64)",
)  # fmt: skip
isnan = unary(
    np.isnan, "isnan", "Whether x is NaN.", "[1.0, float('nan')]", "Tensor([False,  True], dtype=bool)",
)  # fmt: skip
isinf = unary(
    np.isinf, "isinf", "Whether x is infinite.", "[1.0, float('inf')]", "Tensor([False,  True], dtype=bool)",
)  # fmt: skip
isfinite = unary(
    np.isfinite, "isfinite", "Whether x is neither NaN nor infinite.",
    "[1.0, float('inf')]", "Tensor([ True, False], dtype=bool)",
)  # fmt: skip
signbit = unary(
    np.signbit, "signbit", "Whether the sign bit is set; true of -0.0.",
    "[-0.0, 0.0]", "Tensor([ True, False], dtype=bool)",
)  # fmt: skip
logical_not = unary(
    np.logical_not, "logical_not", "Whether x is zero.", "[0, 3]", "Tensor([ True, False], dtype=bool)",
)  # fmt: skip
invert = unary(
    np.invert, "invert", "Every bit of an integer, or a bool, inverted.",
    "[0, 5]", "Tensor([-1, -6], dtype=int64)",
)  # fmt: skip
bitwise_not = unary(
    np.invert, "bitwise_not", "Every bit inverted, as `invert`.", "[0, 5]", "Tensor([-1, -6], dtype=int64)",
)  # fmt: skip
bitwise_invert = unary(
    np.invert, "bitwise_invert", "Every bit inverted, as `invert`.",
    "[0, 5]", "Tensor([-1, -6], dtype=int64)",
)  # fmt: skip
conjugate = unary(
    np.conjugate, "conjugate", "The complex conjugate.", "1 + 2j", "Tensor(1.-2.j, dtype=complex128)",
)  # fmt: skip
conj = unary(
    np.conjugate, "conj", "The complex conjugate, as `conjugate`.",
    "1 + 2j", "Tensor(1.-2.j, dtype=complex128)",
)  # fmt: skip

add = binary(np.add, "add", "x + y; of bools, or.", "[1, 2], 0.5", "Tensor([1.5, 2.5], dtype=float64)")
subtract = binary(
    np.subtract, "subtract", "x - y; not defined for bools.",
    "[1, 2], 0.5", "Tensor([0.5, 1.5], dtype=float64)",
)  # fmt: skip
multiply = binary(
    np.multiply, "multiply", "x * y; of bools, and.", "[1, 2], 0.5", "Tensor([0.5, 1. ], dtype=float64)",
)  # fmt: skip
divide = binary(
    np.divide, "divide", "x / y as a float, by IEEE 754: 1 / 0 is infinite, 0 / 0 NaN.",
    "1, [2, 0]", "Tensor([0.5, inf], dtype=float64)",
)  # fmt: skip
true_divide = binary(
    np.divide, "true_divide", "x / y as a float, as `divide`.", "1, 2", "Tensor(0.5, dtype=float64)",
)  # fmt: skip
floor_divide = binary(
    np.floor_divide, "floor_divide", "The largest integer that is not above x / y; of integers, 0 for y = 0.",
    "-7, 2", "Tensor(-4, dtype=int64)",
)  # fmt: skip
remainder = binary(
    np.remainder, "remainder", "x - y * floor(x / y): the sign of y; of integers, 0 for y = 0.",
    "-7, 2", "Tensor(1, dtype=int64)",
)  # fmt: skip
mod = binary(np.remainder, "mod", "x - y * floor(x / y), as `remainder`.", "-7, 2", "Tensor(1, dtype=int64)")
fmod = binary(np.fmod, "fmod", "The remainder with the sign of x.", "-7, 2", "Tensor(-1, dtype=int64)")
power = binary(
    np.power, "power",
    "x to the power y. Integers stay integers; a constant negative exponent of integers raises ArgumentError, a\n"
    "traced one gives 1 / x**|y| truncated. Small constant exponents are products.",
    "[2, 3], 3", "Tensor([ 8, 27], dtype=int64)",
)  # fmt: skip
pow = binary(
    np.power, "pow", "x to the power y, as `power`.", "2.0, 0.5", "Tensor(1.41421356, dtype=float64)",
)  # fmt: skip
float_power = binary(
    np.float_power, "float_power", "x to the power y, in float64 or complex128.",
    "2, -1", "Tensor(0.5, dtype=float64)",
)  # fmt: skip
arctan2 = binary(
    np.arctan2, "arctan2",
    "The angle of the point (y, x), from -pi to\n"
    "pi; the first argument is the ordinate.",
    "1.0, -1.0", "Tensor(2.35619449, dtype=float64)",
)  # fmt: skip
atan2 = binary(
    np.arctan2, "atan2", "The angle of a point, as `arctan2`.",
    "1.0, -1.0", "Tensor(2.35619449, dtype=float64)",
)  # fmt: skip
hypot = binary(
    np.hypot, "hypot", "The square root of x**2 + y**2, without overflow.",
    "3.0, 4.0", "Tensor(5., dtype=float64)",
)  # fmt: skip
copysign = binary(
    np.copysign, "copysign", "|x| with the sign of y.",
    "1.5, [-0.0, 2.0]", "Tensor([-1.5,  1.5], dtype=float64)",
)  # fmt: skip
nextafter = binary(
    np.nextafter, "nextafter", "The next number after x towards y; y itself where they are equal.",
    "1.0, 2.0", "Tensor(1., dtype=float64)",
)  # fmt: skip
ldexp = binary(
    np.ldexp, "ldexp", "x times 2 to the power y, an integer, rounded once.", "1.5, 4", "Tensor(24., dtype=float64)"
)
gcd = binary(
    np.gcd, "gcd", "The greatest common divisor of integers, by Euclid's algorithm; it has no derivative.",
    "[12, 0, -7], [18, 5, 21]", "Tensor([6, 5, 7], dtype=int64)",
)  # fmt: skip
lcm = binary(
    np.lcm, "lcm", "The least common multiple of integers, 0 where one is 0; it has no derivative.",
    "[4, 0, -7], [6, 5, 21]", "Tensor([12,  0, 21], dtype=int64)",
)  # fmt: skip
heaviside = binary(
    np.heaviside, "heaviside", "0 for x below zero, 1 above, y at zero.",
    "[-1.0, 0.0, 2.0], 0.5", "Tensor([0. , 0.5, 1. ], dtype=float64)",
)  # fmt: skip
maximum = binary(
    np.maximum, "maximum", "The larger of x and y; NaN if either is.",
    "[1.0, 5.0], 3.0", "Tensor([3., 5.], dtype=float64)",
)  # fmt: skip
minimum = binary(
    np.minimum, "minimum", "The smaller of x and y; NaN if either is.",
    "[1.0, 5.0], 3.0", "Tensor([1., 3.], dtype=float64)",
)  # fmt: skip
fmax = binary(
    np.fmax, "fmax", "The larger of x and y; the other one where one is NaN.",
    "[1.0, float('nan')], 3.0", "Tensor([3., 3.], dtype=float64)",
)  # fmt: skip
fmin = binary(
    np.fmin, "fmin", "The smaller of x and y; the other one where one is NaN.",
    "[1.0, float('nan')], 3.0", "Tensor([1., 3.], dtype=float64)",
)  # fmt: skip
logaddexp = binary(
    np.logaddexp, "logaddexp", "log(exp(x) + exp(y)), without overflow; derivatives are smooth where x = y.",
    "1000.0, 1000.0", "Tensor(1000.69314718, dtype=float64)",
)  # fmt: skip
logaddexp2 = binary(
    np.logaddexp2, "logaddexp2", "log2(2**x + 2**y), without overflow; derivatives are smooth where x = y.",
    "1000.0, 1000.0", "Tensor(1001., dtype=float64)",
)  # fmt: skip
equal = binary(np.equal, "equal", "Whether x == y.", "[1, 2], 2", "Tensor([False,  True], dtype=bool)")
not_equal = binary(
    np.not_equal, "not_equal", "Whether x != y.", "[1, 2], 2", "Tensor([ True, False], dtype=bool)",
)  # fmt: skip
less = binary(np.less, "less", "Whether x < y.", "[1, 2], 2", "Tensor([ True, False], dtype=bool)")
less_equal = binary(
    np.less_equal, "less_equal", "Whether x <= y.", "[1, 2], 2", "Tensor([ True,  True], dtype=bool)",
)  # fmt: skip
greater = binary(np.greater, "greater", "Whether x > y.", "[1, 2], 1", "Tensor([False,  True], dtype=bool)")
greater_equal = binary(
    np.greater_equal, "greater_equal", "Whether x >= y.", "[1, 2], 2", "Tensor([False,  True], dtype=bool)",
)  # fmt: skip
logical_and = binary(
    np.logical_and, "logical_and", "Whether both are not zero.",
    "[0, 1], [1, 1]", "Tensor([False,  True], dtype=bool)",
)  # fmt: skip
logical_or = binary(
    np.logical_or, "logical_or", "Whether one is not zero.",
    "[0, 1], [0, 0]", "Tensor([False,  True], dtype=bool)",
)  # fmt: skip
logical_xor = binary(
    np.logical_xor, "logical_xor", "Whether exactly one is not zero.",
    "[0, 1], [1, 1]", "Tensor([ True, False], dtype=bool)",
)  # fmt: skip
bitwise_and = binary(
    np.bitwise_and, "bitwise_and", "The bits that both integers have.", "12, 10", "Tensor(8, dtype=int64)",
)  # fmt: skip
bitwise_or = binary(
    np.bitwise_or, "bitwise_or", "The bits that one of the integers has.",
    "12, 10", "Tensor(14, dtype=int64)",
)  # fmt: skip
bitwise_xor = binary(
    np.bitwise_xor, "bitwise_xor", "The bits that exactly one of the integers has.",
    "12, 10", "Tensor(6, dtype=int64)",
)  # fmt: skip
left_shift = binary(
    np.left_shift, "left_shift", "x * 2**y; 0 where y is out of range.",
    "3, [1, 64]", "Tensor([6, 0], dtype=int64)",
)  # fmt: skip
bitwise_left_shift = binary(
    np.left_shift, "bitwise_left_shift", "x * 2**y, as `left_shift`.", "3, 1", "Tensor(6, dtype=int64)",
)  # fmt: skip
right_shift = binary(
    np.right_shift, "right_shift", "x / 2**y, floored; 0 or -1 where y is out of range.",
    "-8, [1, 64]", "Tensor([-4, -1], dtype=int64)",
)  # fmt: skip
bitwise_right_shift = binary(
    np.right_shift, "bitwise_right_shift", "x / 2**y, floored, as `right_shift`.",
    "-8, 1", "Tensor(-4, dtype=int64)",
)  # fmt: skip

__all__ = [
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "conj",
    "conjugate",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "divide",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "float_power",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "lcm",
    "ldexp",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "power",
    "rad2deg",
    "radians",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
]  # fmt: skip
