#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include <wick/framework/byte_source.h>
#include <wick/framework/error.h>
#include <wick/framework/text.h>

namespace wick {

FileSource::FileSource(const std::filesystem::path& path) : name_(escaped(path.native())) {
  if (path.native().find('\0') != std::string::npos) {
    throw FileError(name_ + ": cannot open: a file's name holds no zero byte");
  }
  file_.reset(std::fopen(path.c_str(), "rb"));
  if (file_ == nullptr) {
    throw FileError(name_ + ": cannot open: " + std::generic_category().message(errno));
  }
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error)) {
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    // Files that the system makes up as they are read (/proc) say 0.
    if (!error && size > 0) remaining_ = size;
  }
}

std::size_t FileSource::read(std::span<std::byte> bytes) {
  if (bytes.empty()) return 0;  // which may have no address
  const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), file_.get());
  if (count < bytes.size() && std::ferror(file_.get()) != 0) {
    throw FileError(name_ + ": cannot read: " + std::generic_category().message(errno));
  }
  if (remaining_) *remaining_ -= std::min<std::uint64_t>(*remaining_, count);
  return count;
}

std::size_t MemorySource::read(std::span<std::byte> bytes) {
  const std::size_t count = std::min(bytes.size(), bytes_.size());
  std::copy_n(bytes_.begin(), count, bytes.begin());
  bytes_ = bytes_.subspan(count);
  return count;
}

std::string read_file(const std::filesystem::path& path) {
  FileSource file(path);
  std::string content;
  std::array<std::byte, 65536> piece;
  while (const std::size_t count = file.read(piece)) {
    content.append(reinterpret_cast<const char*>(piece.data()), count);
  }
  return content;
}

}  // namespace wick
