#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <wick/framework/byte_source.h>
#include <wick/framework/error.h>
#include <wick/framework/npy.h>
#include <wick/framework/text.h>
#include <wick/framework/write_file.h>
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

constexpr const char* kOrder = "steps.json";

// Of all that a save of these steps writes.
std::vector<std::string> file_names(const Steps& steps) {
  std::vector<std::string> names;
  for (const auto& step : steps) names.push_back(step.first + ".npy");
  names.emplace_back(kOrder);
  return names;
}

// What a steps.json says; nothing where it is none of ours. Throws FileError where it cannot be read.
std::optional<std::vector<std::string>> order_in(const fs::path& path) {
  const nlohmann::json object = nlohmann::json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  try {
    return object.at("steps").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

// Nothing of anybody's may be lost: only what an earlier save wrote is replaced.
void require_replaceable(const fs::path& folder, const Steps& steps) {
  if (!fs::is_directory(folder)) fail(folder, "cannot be written: a file has that name");
  const std::vector<std::string> names = file_names(steps);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours = std::ranges::find(names, name) != names.end() &&
                         fs::is_regular_file(entry.symlink_status()) &&
                         (name != kOrder || order_in(entry.path()));
    if (!is_ours) {
      fail(folder, "is left as it is: it holds " + repr(name) + "; name a new folder or an empty one");
    }
  }
}

void write_steps(const fs::path& folder, const Steps& steps) {
  nlohmann::json names = nlohmann::json::array();
  for (const auto& step : steps) {
    save_npy(folder / (step.first + ".npy"), step.second);
    names.push_back(step.first);
  }
  const std::string order = nlohmann::json{{"steps", names}}.dump() + "\n";
  write_file(folder / kOrder, {std::as_bytes(std::span(order))});
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
    for (const std::string& name : file_names(steps)) {
      fs::rename(temporary.path() / name, target / name);
    }
  } catch (const fs::filesystem_error& error) {
    fail(folder, "cannot be written: " + error.code().message());
  }
}

SavedNames saved_names(const fs::path& folder) {
  SavedNames saved;
  try {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".npy") saved.names.push_back(entry.path().stem().string());
    }
    if (saved.names.empty()) fail(folder, "holds no .npy file");
    std::ranges::sort(saved.names);
    if (const fs::path path = folder / kOrder; fs::exists(path)) {
      const std::optional<std::vector<std::string>> order = order_in(path);
      if (!order) throw FormatError(escaped(path.string()) + ": expected {\"steps\": [names]}");
      saved.has_order = true;
      std::ranges::stable_sort(saved.names, {}, [&](const std::string& name) {
        return std::ranges::find(*order, name) - order->begin();
      });
    }
  } catch (const fs::filesystem_error& error) {
    fail(folder, "cannot be read: " + error.code().message());
  }
  return saved;
}

}  // namespace wick::tools
