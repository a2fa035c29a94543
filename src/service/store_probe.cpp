// Asks the store the smallest question there is.

#include "service/store_probe.h"

namespace tessera::service {
namespace {

bool store_answers(const Installation& on) {
  if (on.segments == nullptr) return true;
  const auto& scopes = on.ids->scopes();
  if (!scopes.empty()) {
    const auto found = on.segments->find(scopes.front().name());
    // A scope that nobody has drawn from yet may not be there; the store is.
    return found || found.error().code == Error::Code::not_found;
  }
  return on.scopes == nullptr || on.scopes->list();
}

}  // namespace

StoreProbe::~StoreProbe() {
  if (thread_.joinable()) thread_.join();
}

std::optional<bool> StoreProbe::believed(const Installation& on) const {
  const std::lock_guard lock(mutex_);
  if (on.monotonic->now() >= until_) return std::nullopt;
  return answers_;
}

bool StoreProbe::ask(const Installation& on, std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  if (on.monotonic->now() < until_) return answers_;
  if (!asking_) {
    if (thread_.joinable()) thread_.join();  // it has said all that it had to say
    asking_ = true;
    thread_ = std::thread([this, on] { run(on); });
  }
  if (answered_.wait_for(lock, wait, [this] { return !asking_; })) return answers_;
  answers_ = false;
  until_ = on.monotonic->now() + kBelieved;
  return false;
}

void StoreProbe::run(const Installation& on) {
  const bool answers = store_answers(on);
  const std::lock_guard lock(mutex_);
  answers_ = answers;
  until_ = on.monotonic->now() + kBelieved;
  asking_ = false;
  answered_.notify_all();
}

}  // namespace tessera::service
