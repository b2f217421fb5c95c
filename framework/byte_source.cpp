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

void read_all(ByteSource& source, std::span<std::byte> bytes, std::string_view what,
              const std::string& name) {
  const std::size_t count = source.read(bytes);
  if (count < bytes.size()) {
    throw FormatError(name + ": cut short: found " + byte_count_text(count) + " of " + std::string(what) +
                      ", expected " + std::to_string(bytes.size()));
  }
}

std::vector<std::byte> read_up_to(ByteSource& source, std::uint64_t limit) {
  constexpr std::size_t kChunk = 65536;
  std::vector<std::byte> gathered;
  while (gathered.size() < limit) {
    const std::size_t before = gathered.size();
    gathered.resize(before + std::min<std::uint64_t>(kChunk, limit - before));
    const std::size_t wanted = gathered.size() - before;
    const std::size_t count = source.read(std::span(gathered).subspan(before));
    gathered.resize(before + count);
    if (count < wanted) break;
  }
  return gathered;
}

std::string byte_count_text(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string read_file(const std::filesystem::path& path, std::uint64_t most) {
  FileSource file(path);
  std::string content;
  std::array<std::byte, 65536> piece;
  while (const std::size_t count = file.read(piece)) {
    content.append(reinterpret_cast<const char*>(piece.data()), count);
    if (content.size() > most) {
      throw FileError(escaped(path.native()) + ": longer than " + byte_count_text(most) +
                      ", the most that is read");
    }
  }
  return content;
}

}  // namespace wick
