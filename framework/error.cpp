#include <wick/framework/error.h>
#include <wick/framework/module_scope.h>

namespace wick {
namespace {

std::string located(const std::string& message) {
  const std::string& path = current_module_path();
  return path.empty() ? message : path + ": " + message;
}

}  // namespace

Error::Error(const std::string& message) : std::runtime_error(located(message)) {}

}  // namespace wick
