#include <cerrno>
#include <fcntl.h>
#include <span>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <wick/framework/error.h>
#include <wick/framework/text.h>
#include <wick/framework/write_file.h>
#include <wick/tools/loss_files.h>
#include <wick/tools/run_folder.h>
#include <wick/tools/shell.h>

namespace wick::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFiles[] = {"training.safetensors", "model.safetensors", "loss.csv", "loss.svg"};

[[noreturn]] void fail(const fs::path& folder, const std::string& reason) {
  throw FileError("the folder " + repr(folder.string()) + " " + reason);
}

// What write_file was at when it was killed: .wick-0.tmp and the like.
bool is_unfinished(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(".wick-") && path.extension() == ".tmp";
}

// Those that nobody has written to since that time.
void remove_unfinished(const fs::path& folder, fs::file_time_type since) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (!is_unfinished(entry.path())) continue;
    std::error_code unknown;
    const fs::file_time_type written = fs::last_write_time(entry.path(), unknown);
    if (!unknown && written < since) fs::remove(entry.path(), ignored);
  }
}

}  // namespace

RunFolder::RunFolder(fs::path path, bool is_new) : path_(std::move(path)), is_new_(is_new) {
  lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) fail(path_, "cannot be read: " + std::generic_category().message(errno));
  // A file system that knows no locks has to do without.
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(lock_);
    fail(path_, "is at work: another wick train writes into it");
  }
  locked_at_ = fs::file_time_type::clock::now();
}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)),
      lock_(std::exchange(other.lock_, -1)),
      locked_at_(other.locked_at_),
      is_new_(std::exchange(other.is_new_, false)),
      is_saved_(other.is_saved_) {}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (is_new_) fs::remove(path_, ignored);  // which leaves what is not empty
  if (lock_ >= 0) ::close(lock_);
}

RunFolder RunFolder::create(const fs::path& path) {
  std::error_code error;
  const bool is_new = fs::create_directory(path, error);
  std::error_code unknown;
  const fs::file_status there = fs::status(path, unknown);
  if (fs::exists(there) && !fs::is_directory(there)) fail(path, "cannot be made: a file has that name");
  if (error) fail(path, "cannot be made: " + error.message());
  RunFolder folder(path, is_new);
  if (is_new) sync_folder(path / "..");  // not the parent in the path's text: that of "run/" is "run"
  for (const char* file : kFiles) {
    if (!fs::exists(fs::symlink_status(path / file, error))) continue;
    fail(path, "is left as it is: it holds " + repr(file) +
                   "; --resume goes on with a run, --out names another folder for a new one");
  }
  return folder;
}

RunFolder RunFolder::open(const fs::path& path) { return {path, false}; }

void RunFolder::save(const TrainingRun& run) {
  const TrainingState state = run.state();
  if (!is_saved_)
    remove_unfinished(path_, locked_at_);  // before anything is written: they may be what fills the disk
  save_training(training_file(), state);
  is_new_ = false;
  is_saved_ = true;
  save_model(path_ / "model.safetensors", run.gpt(), run.model_metadata());
  const std::string csv = loss_csv(run.trainer().losses());
  const std::string svg = loss_svg(run.trainer().losses());
  write_files({{path_ / "loss.csv", {std::as_bytes(std::span(csv))}},
               {path_ / "loss.svg", {std::as_bytes(std::span(svg))}}});
}

}  // namespace wick::tools
