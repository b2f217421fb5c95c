#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <wick/framework/dtype.h>
#include <wick/framework/shape.h>
#include <wick/framework/tensor.h>

namespace wick {

/// Where a stream stands, as numbers that a file can hold: all that it takes to go on, with what one call
/// leaves for the next (half of a draw, the second of two normals). NumPy: bit_generator.state.
///
/// | generator | words                                                                              |
/// |-----------|------------------------------------------------------------------------------------|
/// | `PCG64`   | 6: state, increment (each the upper 64 bits, then the lower), has_uint32, uinteger |
/// | `MT19937` | 627: the 624 of key, pos, has_gauss, the bits of gauss (a float64)                 |
///
/// Where nothing is left for the next call (has_… is 0), what would be it counts for nothing: state() says 0,
/// NumPy may say what it was.
struct RngState {
  std::string generator;
  std::vector<std::uint64_t> words;

  friend bool operator==(const RngState&, const RngState&) = default;
};

/// One stream of random numbers: NumPy's, to the bit.
///
///     auto rng = wick::default_rng(42);                          // rng = np.random.default_rng(42)
///     double a = rng->standard_normal();                         // a = rng.standard_normal()
///     Tensor x = rng->standard_normal({1, 6, 64}, float64);      // x = rng.standard_normal((1, 6, 64))
///
///     auto old = wick::random_state(42);                         // np.random.seed(42)
///     Tensor w = old->standard_normal({32, 16}, float64);        // w = np.random.randn(32, 16)
///
/// Seeded alike and called alike, a stream gives what NumPy gives, also where calls of different kinds take
/// turns: what one call leaves for the next (half of a draw, the second of two normals) is part of the
/// stream. A whole tensor is the same draws, one by one, in row-major order.
///
/// Agreement was checked against NumPy 1.24.2 with glibc 2.36, on x86-64 and aarch64. NumPy promises that
/// RandomState never changes; of default_rng it keeps the right to change what is made from the bits. Normals
/// hang on the C library too, in NumPy as here: RandomState's on the last bits of log, default_rng's on those
/// of exp, which decides one or two draws in a hundred, and of log1p in the tail. glibc's log rounds
/// otherwise where the processor has no fused multiply-add: one of RandomState's normals in twenty thousand
/// is then off by one or two units in the last place, and NumPy's is too.
///
/// A stream belongs to one thread at a time. It can be replayed: the classes behind it (Pcg64Rng, Mt19937Rng)
/// are values, and a copy goes on as the original does. So does one that was given its state.
class Rng {
 public:
  virtual ~Rng() = default;

  /// One draw from the normal distribution with mean 0 and variance 1. NumPy: standard_normal(), randn().
  double standard_normal() { return next_normal(); }

  /// One draw from [0, 1), a multiple of 2^-53. NumPy: random(), rand().
  double random() { return next_double(); }

  /// One integer from [low, high), each as likely as the others. NumPy: integers(low, high), randint(low,
  /// high). Where only one is possible, nothing is drawn. Throws ValueError unless low < high.
  std::int64_t integers(std::int64_t low, std::int64_t high);

  /// The same from [low, high], up to the whole range of int64. NumPy: integers(low, high, endpoint=True);
  /// RandomState has it as randint(low, high + 1). Throws ValueError where low > high.
  std::int64_t integers_closed(std::int64_t low, std::int64_t high);

  /// The numbers 0 to n - 1 in random order. NumPy: permutation(n).
  /// Throws ValueError where n is negative (NumPy gives an empty array).
  std::vector<std::int64_t> permutation(std::int64_t n);

  /// A tensor of draws, in row-major order. Every draw is a float64, rounded where the tensor is float32, so
  /// both types leave the stream at the same place. (NumPy's own dtype=np.float32 is a different stream, and
  /// not offered.) Throw TypeError for a dtype that is neither float32 nor float64.
  Tensor standard_normal(const Shape& shape, DType dtype = float32);
  Tensor random(const Shape& shape, DType dtype = float32);

  /// An int64 tensor of draws from [low, high), in row-major order. Throws ValueError unless low < high.
  Tensor integers(std::int64_t low, std::int64_t high, const Shape& shape);

  /// Where the stream stands.
  virtual RngState state() const = 0;

  /// Goes on from there. Throws ValueError, and changes nothing, where the state is another generator's, or
  /// none that its generator can be in.
  virtual void set_state(const RngState& state) = 0;

 protected:
  Rng() = default;
  // Copies are for the classes below; through a reference to Rng they would slice.
  Rng(const Rng&) = default;
  Rng& operator=(const Rng&) = default;

  /// An integer from [0, max]: as many low bits as max has, drawn again until they do not exceed it. Up to
  /// 2^32 - 1 the bits are those of next_uint32(), beyond of next_uint64(); for max = 0 nothing is drawn.
  /// Both streams permute with it.
  std::uint64_t masked_rejection(std::uint64_t max);

  /// Throws ValueError unless the state is of this generator, with this many words.
  static void require_state_of(const RngState& state, std::string_view generator, std::size_t words);

 private:
  // What makes one stream different from another.
  virtual std::uint32_t next_uint32() = 0;
  virtual std::uint64_t next_uint64() = 0;
  virtual double next_double() = 0;
  virtual double next_normal() = 0;
  virtual std::uint64_t next_at_most(std::uint64_t max) = 0;  // from [0, max], for integers()
};

/// The stream of NumPy's default_rng(seed); see Pcg64Rng. Any seed from 0 to 2^64 - 1. (A negative number
/// arrives here as a large one, by the rules of C++; NumPy refuses it.)
std::unique_ptr<Rng> default_rng(std::uint64_t seed);

/// The stream of NumPy's RandomState(seed), which np.random.seed(seed) starts too; see Mt19937Rng.
/// Throws ValueError for a seed beyond 2^32 - 1, as NumPy does; a negative one is among them.
std::unique_ptr<Rng> random_state(std::uint64_t seed);

/// A stream of the state's generator that goes on from there. Throws ValueError as Rng::set_state, and for a
/// generator that there is not.
std::unique_ptr<Rng> rng_from(const RngState& state);

}  // namespace wick
