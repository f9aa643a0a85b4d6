#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "engine/models.h"
#include "engine/pool.h"

// Counts what the whole program allocates, oneDNN included.
namespace {

std::atomic<bool> counting = false;
std::atomic<std::size_t> large_allocations = 0;
std::atomic<std::size_t> small_allocations = 0;

// oneDNN makes a map of the five arguments of every product it runs: nodes and a table of less than
// this. Everything larger, and all that is ours, counts.
constexpr std::size_t kArgumentNode = 256;

void* counted(std::size_t size, std::size_t alignment) {
  if (counting) ++(size > kArgumentNode ? large_allocations : small_allocations);
  void* p = nullptr;
  if (posix_memalign(&p, std::max(alignment, sizeof(void*)), size) != 0) throw std::bad_alloc();
  return p;
}

}  // namespace

void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t a) { return counted(size, std::size_t(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return counted(size, std::size_t(a)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace memmatch::engine {
namespace {

class AllocationTest : public testing::TestWithParam<Precision> {};

TEST_P(AllocationTest, NothingIsAllocatedInSteadyState) {
  const ModelWeights model = test::tiny_model();
  const Engine engine(model, GetParam());
  Worker worker(engine);
  std::vector<PackedBatch> batches;
  for (std::uint64_t i = 0; i < 20; ++i)
    batches.push_back(test::random_batch(
        model, {static_cast<std::int64_t>(3 + 7 * i), 20, static_cast<std::int64_t>(50 + i)}, i));
  std::vector<float> vectors(static_cast<std::size_t>(3 * engine.dimension(Pooling::level1)));
  for (const PackedBatch& batch : batches) worker.encode(batch, Pooling::level1, vectors);
  large_allocations = 0;
  small_allocations = 0;
  counting = true;
  for (const PackedBatch& batch : batches) worker.encode(batch, Pooling::level1, vectors);
  counting = false;
  EXPECT_EQ(large_allocations, 0u);
  // Four products in each of three layers and one of the memory layer, in at most five blocks.
  const std::size_t products = batches.size() * (4 * 3 + 1) * 5;
  EXPECT_LE(small_allocations, products * 8);
}

std::string name_of(const testing::TestParamInfo<Precision>& precision) {
  return precision.param == Precision::fp32 ? "fp32" : "int8";
}

INSTANTIATE_TEST_SUITE_P(, AllocationTest, testing::Values(Precision::fp32, Precision::int8),
                         name_of);

}  // namespace
}  // namespace memmatch::engine
