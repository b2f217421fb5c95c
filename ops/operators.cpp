#include <wick/framework/makers.h>
#include <wick/ops/add.h>
#include <wick/ops/divide.h>
#include <wick/ops/mul.h>
#include <wick/ops/operators.h>
#include <wick/ops/scale.h>
#include <wick/ops/subtract.h>

namespace wick {
namespace {

Tensor number_like(double number, const Tensor& other) { return full({}, number, other.dtype()); }

}  // namespace

Tensor operator+(const Tensor& a, const Tensor& b) { return add(a, b); }
Tensor operator+(const Tensor& a, double b) { return add(a, number_like(b, a)); }
Tensor operator+(double a, const Tensor& b) { return add(number_like(a, b), b); }

Tensor operator-(const Tensor& a, const Tensor& b) { return subtract(a, b); }
Tensor operator-(const Tensor& a, double b) { return subtract(a, number_like(b, a)); }
Tensor operator-(double a, const Tensor& b) { return subtract(number_like(a, b), b); }
Tensor operator-(const Tensor& a) { return scale(a, -1); }

Tensor operator*(const Tensor& a, const Tensor& b) { return mul(a, b); }
Tensor operator*(const Tensor& a, double b) { return scale(a, b); }
Tensor operator*(double a, const Tensor& b) { return scale(b, a); }

Tensor operator/(const Tensor& a, const Tensor& b) { return divide(a, b); }
Tensor operator/(const Tensor& a, double b) { return divide(a, number_like(b, a)); }
Tensor operator/(double a, const Tensor& b) { return divide(number_like(a, b), b); }

}  // namespace wick
