#pragma once

#include <wick/framework/tensor.h>

namespace wick::testing {

/// True where |a - b| <= absolute + relative · |b| for every element. NumPy: allclose, with its defaults; NaN
/// is close to nothing. Shapes must be equal (else false); types may differ.
bool allclose(const Tensor& a, const Tensor& b, double relative = 1e-5, double absolute = 1e-8);

/// max |a - b| / max |b|: how agreement between arrays is measured, against the largest absolute value of the
/// reference b. Scores that a mask has replaced, of kMaskFill's size in both, are left out. Infinite where
/// shapes differ, or where one has a NaN or an infinity that the other has not. 0 for empty arrays.
double relative_difference(const Tensor& a, const Tensor& b);

/// True where both have one shape, one type and the same bits, so that 0 and -0 differ and NaN may be equal.
bool same_bits(const Tensor& a, const Tensor& b);

/// The same, but any NaN is as good as another: which of two NaN a sum or product hands on depends on their
/// order in the instruction, and that is the compiler's to choose.
bool same_bits_but_nan(const Tensor& a, const Tensor& b);

}  // namespace wick::testing
