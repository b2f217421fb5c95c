#include <wick/framework/error.h>
#include <wick/framework/observer.h>

namespace wick {
namespace {

thread_local constinit bool paused = false;

}  // namespace

thread_local constinit Observer* OpenObservers::innermost_ = nullptr;

Observer::Observer() : outer_(OpenObservers::innermost_) { OpenObservers::innermost_ = this; }

// In whatever order they close, those that stay open stay linked.
Observer::~Observer() {
  Observer** link = &OpenObservers::innermost_;
  while (*link != nullptr && *link != this) link = &(*link)->outer_;
  if (*link == this) *link = outer_;
}

void Observer::on_op(const OpEvent&) {}

void Observer::on_backward(const BackwardEvent&) {}

void Observer::on_step(const std::string&, const Tensor&) {}

bool OpenObservers::want_steps() {
  for (const Observer* observer = innermost_; observer != nullptr; observer = observer->outer_) {
    if (observer->wants_steps()) return true;
  }
  return false;
}

template <typename Tell>
void OpenObservers::tell_all(Tell tell) {
  if (paused) return;
  const PauseObservers pause;
  for (Observer* observer = innermost_; observer != nullptr; observer = observer->outer_) tell(*observer);
}

void OpenObservers::report_op(const OpEvent& event) {
  tell_all([&](Observer& observer) { observer.on_op(event); });
}

void OpenObservers::report_backward(const BackwardEvent& event) {
  tell_all([&](Observer& observer) { observer.on_backward(event); });
}

void OpenObservers::report_step(const std::string& name, const Tensor& value) {
  tell_all([&](Observer& observer) { observer.on_step(name, value); });
}

PauseObservers::PauseObservers() : before_(paused) { paused = true; }
PauseObservers::~PauseObservers() { paused = before_; }

void Trace::on_step(const std::string& name, const Tensor& value) {
  steps_.emplace_back(name, value.detach());
}

Tensor Trace::operator[](std::string_view name) const {
  for (auto entry = steps_.rbegin(); entry != steps_.rend(); ++entry) {
    if (entry->first == name) return entry->second;
  }
  std::string message = "no step is named " + std::string(name) + "; the trace has";
  for (const auto& [step, value] : steps_) message += " " + step;
  throw IndexError(steps_.empty() ? message + " none" : message);
}

}  // namespace wick
