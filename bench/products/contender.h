#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace wick::bench {

/// out (M, N) = a (M, K) @ b (K, N): float32, row-major, without gaps, 64-byte aligned.
struct Product {
  std::int64_t M;
  std::int64_t N;
  std::int64_t K;
  const float* a;
  const float* b;
  float* out;
};

/// Whoever multiplies matrices, on one thread.
class Contender {
 public:
  virtual ~Contender() = default;
  virtual std::string name() const = 0;  ///< "openblas"; no "/"
  virtual std::string description()
      const = 0;  ///< its version, and the code that it chose for this processor
  /// Called once before a product is multiplied over and over: memory besides the output is found here.
  virtual void prepare(const Product&) {}
  virtual void multiply(const Product& product) const = 0;
};

/// The peers that were found when this was built. Each is in a file of its own.
std::unique_ptr<Contender> make_eigen();
std::unique_ptr<Contender> make_openblas();
std::unique_ptr<Contender> make_onednn();

}  // namespace wick::bench
