#include <algorithm>
#include <string>
#include <system_error>
#include <unistd.h>

#include <wick/framework/error.h>
#include <wick/framework/npy.h>
#include <wick/framework/text.h>
#include <wick/tools/save_folder.h>

namespace wick::tools {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& folder, const std::string& reason) {
  throw FileError("the folder " + repr(folder.string()) + " " + reason);
}

// A new folder in `parent`, removed with everything in it unless it was renamed away.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& parent) {
    for (int attempt = 0;; ++attempt) {
      path_ = parent / (".wick-" + std::to_string(getpid()) + "-" + std::to_string(attempt) + ".tmp");
      if (fs::create_directory(path_)) return;
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
  if (!fs::is_directory(folder)) fail(folder, "cannot be written: a file has that name");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours =
        std::ranges::any_of(steps, [&](const auto& step) { return file_name(step) == name; });
    if (!is_ours || !fs::is_regular_file(entry.symlink_status())) {
      fail(folder, "is left as it is: it holds " + repr(name) + "; name a new folder or an empty one");
    }
  }
}

void write_steps(const fs::path& folder, const Steps& steps) {
  for (const auto& step : steps) save_npy(folder / file_name(step), step.second);
}

}  // namespace

void save_folder(const fs::path& folder, const Steps& steps) {
  try {
    fs::path target = fs::weakly_canonical(folder);
    if (!target.has_filename()) target = target.parent_path();  // a slash at the end
    if (!fs::exists(target)) {
      const TemporaryFolder temporary(target.parent_path());
      write_steps(temporary.path(), steps);
      fs::rename(temporary.path(), target);
      return;
    }
    // Not replaced as a whole: somebody may stand in it, have mounted it, or have given it permissions.
    require_replaceable(target, steps);
    const TemporaryFolder temporary(target);
    write_steps(temporary.path(), steps);
    for (const auto& step : steps) {
      fs::rename(temporary.path() / file_name(step), target / file_name(step));
    }
  } catch (const fs::filesystem_error& error) {
    fail(folder, "cannot be written: " + error.code().message());
  }
}

}  // namespace wick::tools
