#include <algorithm>
#include <string>
#include <system_error>
#include <unistd.h>

#include <wick/framework/error.h>
#include <wick/framework/npy.h>
#include <wick/models/text.h>
#include <wick/tools/save_folder.h>

namespace wick::tools {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& folder, const std::string& reason) {
  throw FileError("the folder " + repr(folder.string()) + " " + reason);
}

// A folder beside `folder` that nobody has, removed with everything in it unless it was renamed away.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& folder) {
    for (int attempt = 0;; ++attempt) {
      path_ = folder;
      path_ += ".wick-" + std::to_string(getpid()) + "-" + std::to_string(attempt) + ".tmp";
      std::error_code error;
      if (fs::create_directory(path_, error)) return;
      if (error) fail(folder, "cannot be written: " + error.message());
    }
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string file_name(const Steps::value_type& step) { return step.first + ".npy"; }

// Nothing of anybody's may be lost: only what an earlier save wrote is replaced.
void require_replaceable(const fs::path& folder, const Steps& steps) {
  if (!fs::is_directory(folder)) fail(folder, "is a file, not a folder");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours =
        std::ranges::any_of(steps, [&](const auto& step) { return file_name(step) == name; });
    if (!is_ours || !entry.is_regular_file()) {
      fail(folder, "holds " + repr(name) + " and so is not replaced; name a new folder, or an empty one");
    }
  }
}

void replace(const fs::path& folder, const fs::path& finished, const Steps& steps) {
  std::error_code error;
  if (!fs::exists(folder)) {
    fs::rename(finished, folder, error);
    if (error) fail(folder, "cannot be written: " + error.message());
    return;
  }
  require_replaceable(folder, steps);
  const TemporaryFolder before(folder);  // goes away with the old content
  fs::rename(folder, before.path(), error);
  if (!error) {
    fs::rename(finished, folder, error);
    std::error_code ignored;
    if (error) fs::rename(before.path(), folder, ignored);
  }
  if (error) fail(folder, "cannot be replaced: " + error.message());
}

}  // namespace

void save_folder(const fs::path& folder, const Steps& steps) {
  try {
    // Without a slash at the end, and with links followed, so that "beside it" is a place of the same file
    // system.
    fs::path target = fs::absolute(folder).lexically_normal();
    if (!target.has_filename()) target = target.parent_path();
    if (fs::exists(target)) {
      target = fs::canonical(target);
      require_replaceable(target, steps);
    }
    const TemporaryFolder temporary(target);
    for (const auto& step : steps) save_npy(temporary.path() / file_name(step), step.second);
    replace(target, temporary.path(), steps);
  } catch (const fs::filesystem_error& error) {
    fail(folder, "cannot be written: " + error.code().message());
  }
}

}  // namespace wick::tools
