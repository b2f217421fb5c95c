#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <string>
#include <system_error>
#include <unistd.h>

#include <wick/framework/error.h>
#include <wick/framework/text.h>
#include <wick/framework/write_file.h>

namespace wick {
namespace {

namespace fs = std::filesystem;
using Pieces = std::vector<std::span<const std::byte>>;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail(const fs::path& path, const std::error_code& reason) {
  throw FileError(escaped(path.native()) + ": cannot write: " + reason.message());
}

std::error_code last_error() { return {errno, std::generic_category()}; }

// `path` is only for the message.
void sync_names(const fs::path& folder, const fs::path& path) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder that may be written but not read
  const int result = ::fsync(descriptor);
  const std::error_code error = last_error();
  ::close(descriptor);
  // Some file systems know no fsync of folders, and say so.
  if (result != 0 && error != std::errc::invalid_argument) fail(path, error);
}

// `path` is only for the message.
void write_pieces(File file, const Pieces& pieces, const fs::path& path, Durability durability) {
  for (const std::span<const std::byte> piece : pieces) {
    if (piece.empty()) continue;  // which may have no address
    if (std::fwrite(piece.data(), 1, piece.size(), file.get()) != piece.size()) fail(path, last_error());
  }
  if (durability == Durability::synced &&
      (std::fflush(file.get()) != 0 || ::fsync(::fileno(file.get())) != 0)) {
    fail(path, last_error());
  }
  // Closing writes what is still buffered, and some file systems report a full disk only here.
  if (std::fclose(file.release()) != 0) fail(path, last_error());
}

// A file of a name that nobody had, beside the one that it is to become; gone again unless it was renamed.
class Temporary {
 public:
  // `shown` is what messages call the target.
  Temporary(const fs::path& target, const fs::path& shown) : target_(target), shown_(shown) {
    for (int number = 0;; ++number) {
      path_ = target;
      path_.replace_filename(".wick-" + std::to_string(number) + ".tmp");
      file_.reset(std::fopen(path_.c_str(), "wbx"));
      if (file_ != nullptr) return;
      if (errno != EEXIST) fail(shown_, last_error());
    }
  }
  ~Temporary() {
    std::error_code ignored;
    if (!renamed_) fs::remove(path_, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const fs::path& path() const { return path_; }
  File take_file() { return std::move(file_); }

  void rename() {
    std::error_code error;
    fs::rename(path_, target_, error);
    if (error) fail(shown_, error);
    renamed_ = true;
  }

  // Once renamed: the name is on the disk too.
  void sync_name() const { sync_names(target_.parent_path(), shown_); }

 private:
  fs::path target_;
  fs::path shown_;
  fs::path path_;
  File file_;
  bool renamed_ = false;
};

void write_directly(const fs::path& path, const Pieces& pieces) {
  File file(std::fopen(path.c_str(), "wb"));
  if (file == nullptr) fail(path, last_error());
  write_pieces(std::move(file), pieces, path, Durability::left_to_system);
}

// What is to replace the file of that name, whole but for its own name.
std::unique_ptr<Temporary> replacement(const fs::path& path, bool exists, const Pieces& pieces,
                                       Durability durability) {
  fs::path target = path;
  std::error_code error;
  if (exists) {
    target = fs::canonical(path, error);
    if (error) fail(path, error);
    // Renaming asks only the folder; a file that may not be written is to stay.
    if (File(std::fopen(target.c_str(), "r+b")) == nullptr) fail(path, last_error());
  }
  auto temporary = std::make_unique<Temporary>(target, path);
  if (exists) {
    const fs::perms permissions = fs::status(target, error).permissions();
    if (!error) fs::permissions(temporary->path(), permissions, error);
    if (error) fail(path, error);
  }
  write_pieces(temporary->take_file(), pieces, path, durability);
  return temporary;
}

// /dev/stdout may lead to a regular file; that one others hold open, and write to.
bool is_link_of_the_system(const fs::path& path) {
  std::error_code ignored;
  const fs::path absolute = fs::absolute(path, ignored).lexically_normal();
  const std::string& text = absolute.native();
  return (text.starts_with("/dev/") || text.starts_with("/proc/")) && fs::is_symlink(path, ignored);
}

// Nothing where it cannot be replaced, but has to be written directly.
std::unique_ptr<Temporary> replacement(const FileContent& file, Durability durability) {
  const fs::path& path = file.path;
  if (path.native().find('\0') != std::string::npos) {
    throw FileError(escaped(path.native()) + ": cannot write: a file's name holds no zero byte");
  }
  if (path.empty()) fail(path, std::make_error_code(std::errc::no_such_file_or_directory));
  std::error_code ignored;
  const fs::file_type type = fs::status(path, ignored).type();
  const bool exists = type == fs::file_type::regular;
  const bool is_new = type == fs::file_type::not_found && !fs::is_symlink(path, ignored);
  if ((exists && !is_link_of_the_system(path)) || is_new) {
    return replacement(path, exists, file.pieces, durability);
  }
  return nullptr;
}

}  // namespace

void write_files(const std::vector<FileContent>& files, Durability durability) {
  std::vector<std::unique_ptr<Temporary>> replacements;
  replacements.reserve(files.size());
  for (const FileContent& file : files) replacements.push_back(replacement(file, durability));
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (replacements[i] == nullptr) write_directly(files[i].path, files[i].pieces);
  }
  for (const auto& temporary : replacements) {
    if (temporary != nullptr) temporary->rename();
  }
  if (durability == Durability::left_to_system) return;
  for (const auto& temporary : replacements) {
    if (temporary != nullptr) temporary->sync_name();
  }
}

void write_file(const fs::path& path, std::initializer_list<std::span<const std::byte>> pieces,
                Durability durability) {
  write_files({{path, pieces}}, durability);
}

void sync_folder(const fs::path& folder) { sync_names(folder, folder); }

}  // namespace wick
