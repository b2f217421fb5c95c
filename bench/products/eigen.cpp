// Eigen is headers, and chooses its code when it is compiled: this file alone is compiled for the very
// processor that compiles it, because a peer is to run at its best. (The library never is: see ops/kernels.)

#include <Eigen/Core>

#include <wick/bench/products/contender.h>

namespace wick::bench {
namespace {

class EigenProducts final : public Contender {
 public:
  std::string name() const override { return "eigen"; }

  std::string description() const override {
    return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
           std::to_string(EIGEN_MINOR_VERSION) + ", " + Eigen::SimdInstructionSetsInUse();
  }

  void multiply(const Product& product) const override {
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const Matrix, Eigen::Aligned64> a(product.a, product.M, product.K);
    const Eigen::Map<const Matrix, Eigen::Aligned64> b(product.b, product.K, product.N);
    Eigen::Map<Matrix, Eigen::Aligned64> out(product.out, product.M, product.N);
    out.noalias() = a * b;
  }
};

}  // namespace

std::unique_ptr<Contender> make_eigen() { return std::make_unique<EigenProducts>(); }

}  // namespace wick::bench
