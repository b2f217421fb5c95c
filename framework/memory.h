#pragma once

#include <cstddef>
#include <cstdint>

/// The memory that tensors live in.
///
/// Blocks are 64-byte aligned and kept for reuse when they are released: a large buffer that goes back to the
/// system is faulted in again, page by page, when the next step asks for it, which costs more than the
/// arithmetic. In a build with a sanitizer nothing is kept and sizes are exact, so that the sanitizer sees
/// every overrun.
///
/// A program that asks for the sizes it has just released asks the system for nothing, whatever thread did
/// what: blocks are kept for all threads together, under a lock that is held for a few nanoseconds. They are
/// no more than were once in use at a time (or 64 MiB); beyond that, the sizes that the system was asked
/// for longest ago go back to it.
///
/// Every function may be called from any thread.
namespace wick::memory {

/// Alignment of every block: a cache line, and the widest vector register.
inline constexpr std::size_t kAlignment = 64;

/// The line in front of every block comes with it: room for what its owner has to remember, in no count.
inline constexpr std::size_t kHeader = kAlignment / 2;  // the other half shows sanitizers who reads too early
inline std::byte* header_of(std::byte* block) { return block - kAlignment; }

/// Bytes that tensors asked for; rounding and blocks kept for reuse are not in `now` and `peak`.
struct Counts {
  std::int64_t now;                 ///< held by living tensors
  std::int64_t peak;                ///< the most that `now` has been since the start, or since reset_peak()
  std::int64_t cached;              ///< released by tensors and kept for reuse
  std::int64_t system_allocations;  ///< blocks, not bytes, asked of the system since the start
};

Counts counts();

/// Lets the peak start again at what is held now.
void reset_peak();

/// Gives the blocks kept for reuse back to the system.
void release_cached();

/// A block of at least `bytes` bytes (0 is allowed), its content undefined: recycled blocks hold what they
/// held. Throws wick::Error naming the size where the system has no such block.
std::byte* allocate(std::size_t bytes);

/// Returns a block of allocate(bytes).
void release(std::byte* block, std::size_t bytes) noexcept;

}  // namespace wick::memory
