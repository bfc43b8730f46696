// The program behind "try the example": the desk of a library, where a clerk
// is asked for a book that the catalogue does not know.
//
// It crashes in one thread while two others wait, reads through a null pointer
// at a small offset, and does so in a call that the compiler inlined twice:
// enough to show what a report tells apart. README.md has the recipe.
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>

namespace desk {

struct Book {
  const char *title;
  uint32_t shelf;
  uint32_t copies;
};

struct Request {
  uint32_t reader;
  const Book *book; // null when the catalogue does not know it
};

std::mutex lock;
std::condition_variable closing;
bool closed = false;

// The crash: `copies` lies 12 bytes into a Book that is not there.
inline bool available(const Book *book) { return book->copies > 0; }

inline uint32_t find(const Request &request) {
  if (!available(request.book))
    return 0;
  return request.book->shelf;
}

__attribute__((noinline)) uint32_t serve(const std::vector<Request> &queue) {
  uint32_t shelves = 0;
  for (const Request &request : queue)
    shelves += find(request);
  return shelves;
}

__attribute__((noinline)) void clerk(const char *name, std::vector<Request> queue) {
  pthread_setname_np(pthread_self(), name);
  uint32_t shelves = serve(queue);
  std::printf("%s walked past %u shelves\n", name, shelves);
}

__attribute__((noinline)) void wait_for_closing(const char *name) {
  pthread_setname_np(pthread_self(), name);
  std::unique_lock<std::mutex> held(lock);
  closing.wait(held, [] { return closed; });
}

} // namespace desk

int main() {
  static const desk::Book crime{"Crime and Punishment", 4, 2};
  std::thread porter(desk::wait_for_closing, "porter");
  std::thread cashier(desk::wait_for_closing, "cashier");
  std::thread clerk(desk::clerk, "clerk", std::vector<desk::Request>{{1, &crime}, {2, nullptr}});
  clerk.join();
  porter.join();
  cashier.join();
}
