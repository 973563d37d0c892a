#include "gpu/work/later_reads.h"

#include <algorithm>

namespace ndml {

void LaterReads::RecordCopies(const std::vector<BufferRange>& written) {
  const auto is_over = [](const auto& reads) { return reads.expired(); };
  reads_.erase(std::remove_if(reads_.begin(), reads_.end(), is_over), reads_.end());
  for (const auto& reads : reads_) {
    for (BufferRange& read : *reads.lock()) {
      const auto overwrites = [&](const BufferRange& range) {
        return range.resource && range.resource == read.resource && range.offset < read.offset + read.size &&
               read.offset < range.offset + range.size;
      };
      if (std::none_of(written.begin(), written.end(), overwrites)) continue;
      const std::shared_ptr<Resource> copy = CreateResource(device_, read.size, counters_);
      copy->counted = CountedBytes(counters_, &LiveCounters::temporary_bytes, copy->capacity);
      copies_->Copy(read.resource, read.offset, copy, 0, read.size);
      read = {copy, 0, read.size};
    }
  }
}

}  // namespace ndml
