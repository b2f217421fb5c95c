#include <algorithm>
#include <atomic>
#include <cstdlib>

#include <wick/framework/error.h>
#include <wick/framework/text.h>
#include <wick/ops/instruction_set.h>
#include <wick/ops/kernels/sets.h>

namespace wick {
namespace {

const kernels::KernelTable* find_present(std::string_view name) {
  for (const kernels::KernelTable* table : kernels::built_sets()) {
    if (table->name == name && kernels::is_present(*table)) return table;
  }
  return nullptr;
}

// `setting` is how the name was given: "WICK_ISA=nonsense".
const kernels::KernelTable* require_present(std::string_view name, const std::string& setting) {
  const kernels::KernelTable* table = find_present(name);
  if (table != nullptr) return table;
  const bool is_built = std::ranges::any_of(
      kernels::built_sets(), [&](const kernels::KernelTable* built) { return built->name == name; });
  std::string present;
  for (const std::string& other : present_instruction_sets())
    present += (present.empty() ? "" : ", ") + other;
  throw ValueError(
      setting + (is_built ? ": this machine cannot run that instruction set" : ": no such instruction set") +
      "; there are " + present);
}

const kernels::KernelTable* choose() {
  if (const char* wanted = std::getenv("WICK_ISA"); wanted != nullptr && *wanted != '\0') {
    return require_present(wanted, "WICK_ISA=" + std::string(wanted));
  }
  const kernels::KernelTable* widest = nullptr;
  for (const kernels::KernelTable* table : kernels::built_sets()) {
    if (kernels::is_present(*table)) widest = table;
  }
  return widest;
}

// Throws out of the initializer where WICK_ISA is wrong; the next call tries again, and throws again.
std::atomic<const kernels::KernelTable*>& active() {
  static std::atomic<const kernels::KernelTable*> table = choose();
  return table;
}

}  // namespace

std::vector<std::string> present_instruction_sets() {
  std::vector<std::string> names;
  for (const kernels::KernelTable* table : kernels::built_sets()) {
    if (kernels::is_present(*table)) names.emplace_back(table->name);
  }
  return names;
}

const kernels::KernelTable& active_kernels() { return *active().load(std::memory_order_relaxed); }

std::string_view instruction_set() { return active_kernels().name; }

void use_instruction_set(std::string_view name) {
  active().store(require_present(name, "instruction set " + repr(name)), std::memory_order_relaxed);
}

}  // namespace wick
