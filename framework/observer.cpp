#include <wick/framework/error.h>
#include <wick/framework/observer.h>

namespace wick {

thread_local constinit Observer* OpenObservers::innermost_ = nullptr;

Observer::Observer() : outer_(OpenObservers::innermost_) { OpenObservers::innermost_ = this; }

Observer::~Observer() { OpenObservers::innermost_ = outer_; }

void Observer::on_op(const OpEvent&) {}

void Observer::on_step(const std::string&, const Tensor&) {}

bool OpenObservers::want_steps() {
  for (const Observer* observer = innermost_; observer != nullptr; observer = observer->outer_) {
    if (observer->wants_steps()) return true;
  }
  return false;
}

void OpenObservers::report_op(const OpEvent& event) {
  for (Observer* observer = innermost_; observer != nullptr; observer = observer->outer_)
    observer->on_op(event);
}

void OpenObservers::report_step(const std::string& name, const Tensor& value) {
  for (Observer* observer = innermost_; observer != nullptr; observer = observer->outer_) {
    observer->on_step(name, value);
  }
}

void Trace::on_step(const std::string& name, const Tensor& value) {
  steps_.emplace_back(name, value.detach());
}

const Tensor& Trace::operator[](std::string_view name) const {
  for (auto entry = steps_.rbegin(); entry != steps_.rend(); ++entry) {
    if (entry->first == name) return entry->second;
  }
  std::string message = "no step is named " + std::string(name) + "; the trace has";
  for (const auto& [step, value] : steps_) message += " " + step;
  throw IndexError(steps_.empty() ? message + " none" : message);
}

}  // namespace wick
