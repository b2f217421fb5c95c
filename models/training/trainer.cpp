#include <algorithm>
#include <cmath>
#include <utility>

#include <wick/framework/error.h>
#include <wick/framework/graph.h>
#include <wick/framework/nan_guard.h>
#include <wick/models/training/clipping.h>
#include <wick/models/training/finite.h>
#include <wick/models/training/trainer.h>

namespace wick {
namespace {

constexpr const char* kBatches = "batches";

std::string text_of(double number) { return std::isnan(number) ? "NaN" : number > 0 ? "inf" : "-inf"; }

// Evaluation until the end of a scope, then training again.
class Evaluating {
 public:
  explicit Evaluating(Module& model) : model_(model) { model_.eval(); }
  ~Evaluating() { model_.train(); }
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;

 private:
  Module& model_;
};

}  // namespace

Trainer::Trainer(Module& model, LossFunction loss, std::unique_ptr<Optimizer> optimizer, Batches batches,
                 const TrainerOptions& options)
    : model_(model),
      loss_(std::move(loss)),
      optimizer_(std::move(optimizer)),
      batches_(std::move(batches)),
      options_(options) {
  options.schedule.validate();
  if (!(options.max_norm > 0)) {
    throw ValueError("max_norm is " + std::to_string(options.max_norm) + ", expected above 0");
  }
  if (options.evaluate_every < 0) {
    throw ValueError("evaluate_every is " + std::to_string(options.evaluate_every) + ", expected 0 or more");
  }
  streams_.push_back({kBatches, batches_.shared_rng()});
}

void Trainer::add_stream(const std::string& name, std::shared_ptr<Rng> rng) {
  if (name.empty() || name.find('.') != std::string::npos) {
    throw ValueError("\"" + name + "\" cannot name a stream: a name is not empty and has no dot");
  }
  if (std::ranges::find(streams_, name, &Stream::name) != streams_.end()) {
    throw ValueError("there is a stream named \"" + name + "\" already");
  }
  streams_.push_back({name, std::move(rng)});
}

StepReport Trainer::step() {
  if (is_done()) {
    throw ValueError("the run is done: " + std::to_string(steps_done_) + " of " +
                     std::to_string(options_.schedule.steps) + " steps");
  }
  const std::vector<RngState> before = stream_states();
  StepReport report;
  try {
    report = learn();
  } catch (...) {
    set_streams(before);
    model_.zero_grad();
    throw;
  }
  ++steps_done_;
  losses_.push_back({report.step, report.loss, std::nullopt});
  if (is_evaluation_due()) {
    report.validation = evaluate();
    losses_.back().validation = report.validation;
  }
  return report;
}

// Changes nothing but streams and gradients until it cannot fail any more.
StepReport Trainer::learn() {
  StepReport report;
  report.step = steps_done_ + 1;
  report.learning_rate = options_.schedule.rate(report.step);
  model_.train();
  model_.zero_grad();
  const Batch batch = batches_.next();
  const std::vector<RngState> drawn = stream_states();
  {
    const Tensor loss = loss_(batch.inputs, batch.targets);
    report.loss = loss.item();
    if (!std::isfinite(report.loss)) {
      refuse("step " + std::to_string(report.step) + ": the loss is " + text_of(report.loss), batch, drawn);
    }
    loss.backward();
  }
  report.gradient_norm = gradient_norm(optimizer_->parameters());
  if (!std::isfinite(report.gradient_norm)) {
    refuse(
        "step " + std::to_string(report.step) + ": the gradients' norm is " + text_of(report.gradient_norm),
        batch, drawn);
  }
  optimizer_->step(report.learning_rate, clip_scale(report.gradient_norm, options_.max_norm));
  model_.zero_grad();
  return report;
}

// Computes the step once more, with the same numbers, until an op makes one that is not finite.
void Trainer::refuse(const std::string& what, const Batch& batch, const std::vector<RngState>& drawn) {
  set_streams(drawn);
  model_.zero_grad();
  std::string maker = "no op made it";
  try {
    const NanGuard guard;
    loss_(batch.inputs, batch.targets).backward();
  } catch (const ValueError& error) {
    maker = error.what();
  }
  throw ValueError(what + ": " + maker);
}

bool Trainer::is_evaluation_due() const {
  if (validate_ == nullptr || options_.evaluate_every == 0) return false;
  return steps_done_ % options_.evaluate_every == 0 || is_done();
}

double Trainer::evaluate() {
  const Evaluating evaluating(model_);
  const NoGrad no_grad;
  return validate_();
}

std::vector<RngState> Trainer::stream_states() const {
  std::vector<RngState> states;
  states.reserve(streams_.size());
  for (const Stream& stream : streams_) states.push_back(stream.rng->state());
  return states;
}

void Trainer::set_streams(const std::vector<RngState>& states) {
  for (std::size_t i = 0; i < streams_.size(); ++i) streams_[i].rng->set_state(states[i]);
}

TrainingState Trainer::state(std::map<std::string, std::string> metadata) const {
  TrainingState state{.step = steps_done_,
                      .model = model_.state(),
                      .optimizer = optimizer_->state(),
                      .streams = {},
                      .losses = losses_,
                      .metadata = std::move(metadata)};
  for (const std::vector<NamedTensor>* tensors : {&state.model, &state.optimizer}) {
    for (const NamedTensor& entry : *tensors) {
      if (!is_finite(entry.tensor)) {
        throw ValueError("after step " + std::to_string(steps_done_) + ": " + entry.name +
                         " has numbers that are not finite, so a run cannot go on from here");
      }
    }
  }
  for (const Stream& stream : streams_) state.streams.emplace(stream.name, stream.rng->state());
  return state;
}

std::vector<std::string> Trainer::mismatches(const TrainingState& state) const {
  std::vector<std::string> wrong = model_.mismatches(state.model);
  for (const NamedTensor& entry : state.model) {
    if (entry.tensor.defined() && !is_finite(entry.tensor)) {
      wrong.push_back(entry.name + ": file has numbers that are not finite");
    }
  }
  for (std::string& one : optimizer_->mismatches(state.optimizer)) wrong.push_back(std::move(one));
  const std::optional<std::int64_t> optimizer_steps = Optimizer::steps_in(state.optimizer);
  const std::int64_t expected = state.step + optimizer_->steps() - steps_done_;
  if (optimizer_steps && *optimizer_steps != expected) {
    wrong.push_back("the optimizer's steps are " + std::to_string(*optimizer_steps) + ", expected " +
                    std::to_string(expected) + " after step " + std::to_string(state.step));
  }
  for (const Stream& stream : streams_) {
    const auto given = state.streams.find(stream.name);
    if (given == state.streams.end()) {
      wrong.push_back("the stream " + stream.name + ": not in the file");
      continue;
    }
    const RngState own = stream.rng->state();
    try {
      rng_from(own)->set_state(given->second);
    } catch (const ValueError& error) {
      wrong.push_back("the stream " + stream.name + ": " + error.what());
    }
  }
  for (const auto& [name, given] : state.streams) {
    if (std::ranges::find(streams_, name, &Stream::name) == streams_.end()) {
      wrong.push_back("the stream " + name + ": not in the run");
    }
  }
  if (state.step < 0 || state.step > options_.schedule.steps) {
    wrong.push_back("step " + std::to_string(state.step) + " of a run of " +
                    std::to_string(options_.schedule.steps));
  }
  const auto has_step = [i = std::int64_t{0}](const StepLosses& one) mutable { return one.step == ++i; };
  if (std::ssize(state.losses) != state.step || !std::ranges::all_of(state.losses, has_step)) {
    wrong.push_back("the losses are not those of the steps 1 to " + std::to_string(state.step));
  }
  const auto is_none = [](const StepLosses& one) { return !std::isfinite(one.training); };
  if (const auto one = std::ranges::find_if(state.losses, is_none); one != state.losses.end()) {
    wrong.push_back("the loss of step " + std::to_string(one->step) + " is " + text_of(one->training));
  }
  return wrong;
}

void Trainer::load_state(const TrainingState& state) {
  if (const std::vector<std::string> wrong = mismatches(state); !wrong.empty()) {
    std::string message = model_.path() + ": the checkpoint does not fit: ";
    for (std::size_t i = 0; i < wrong.size(); ++i) message += (i == 0 ? "" : "; ") + wrong[i];
    throw ValueError(message);
  }
  model_.load_state(state.model);
  optimizer_->load_state(state.optimizer);
  for (const Stream& stream : streams_) stream.rng->set_state(state.streams.at(stream.name));
  steps_done_ = state.step;
  losses_ = state.losses;
}

}  // namespace wick
