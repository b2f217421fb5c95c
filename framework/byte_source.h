#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wick {

/// Bytes that come in order and once: from a file, or from memory.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills `bytes`, unless the end comes first; returns how many it wrote. Throws FileError.
  virtual std::size_t read(std::span<std::byte> bytes) = 0;

  /// How many are still to come, where that is known. Only then may it decide how much memory to take.
  virtual std::optional<std::uint64_t> remaining() const = 0;

 protected:
  ByteSource() = default;
};

/// A file, a named pipe or a device. The size of a regular file is known from the start.
class FileSource final : public ByteSource {
 public:
  /// Throws FileError with the path and the system's reason.
  explicit FileSource(const std::filesystem::path& path);

  std::size_t read(std::span<std::byte> bytes) override;
  std::optional<std::uint64_t> remaining() const override { return remaining_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;
  std::optional<std::uint64_t> remaining_;
};

/// Bytes in memory, which has to outlive this.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t read(std::span<std::byte> bytes) override;
  std::optional<std::uint64_t> remaining() const override { return bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
};

/// Fills `bytes`, or throws FormatError "x.npy: cut short: found 3 bytes of the header, expected 118": `name`
/// opens it, `what` says what the bytes would have been.
void read_all(ByteSource& source, std::span<std::byte> bytes, std::string_view what, const std::string& name);

/// What is left, up to `limit` bytes. Memory is taken as they arrive, so the limit may come from a file.
std::vector<std::byte> read_up_to(ByteSource& source, std::uint64_t limit);

/// "1 byte", "2 bytes".
std::string byte_count_text(std::uint64_t bytes);

/// The whole of a file, as it is. Throws as FileSource does, and where there are more than `most` bytes, of a
/// device without an end for one, once so many have been read.
std::string read_file(const std::filesystem::path& path,
                      std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

}  // namespace wick
