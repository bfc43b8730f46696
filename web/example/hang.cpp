// Two threads take the same two locks in opposite orders, and others wait behind them. The locks are on the stack of main: a dump of
// all stacks has them.
#include <pthread.h>

namespace desk {

struct Registry {
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  int names = 3;
};

struct Pool {
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  int free = 8;
};

struct Queue {
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t ready_ = PTHREAD_COND_INITIALIZER;
};

struct Desk {
  Registry registry;
  Pool pool;
  Queue queue;
  pthread_barrier_t both;
};

int drop(Registry *registry, int name) {
  pthread_mutex_lock(&registry->mutex_);
  registry->names -= name;
  pthread_mutex_unlock(&registry->mutex_);
  return name;
}

int take(Pool *pool, int connection) {
  pthread_mutex_lock(&pool->mutex_);
  pool->free -= connection;
  pthread_mutex_unlock(&pool->mutex_);
  return connection;
}

void *accept(Desk *desk) {
  pthread_mutex_lock(&desk->registry.mutex_);
  pthread_barrier_wait(&desk->both);
  desk->registry.names += take(&desk->pool, 1);
  pthread_mutex_unlock(&desk->registry.mutex_);
  return desk;
}

void *serve(Desk *desk) {
  pthread_mutex_lock(&desk->pool.mutex_);
  pthread_barrier_wait(&desk->both);
  desk->pool.free += drop(&desk->registry, 2);
  pthread_mutex_unlock(&desk->pool.mutex_);
  return desk;
}

void *lookup(Desk *desk) {
  pthread_barrier_wait(&desk->both);
  drop(&desk->registry, 1);
  return desk;
}

void *work(Desk *desk) {
  pthread_mutex_lock(&desk->queue.mutex_);
  pthread_cond_wait(&desk->queue.ready_, &desk->queue.mutex_);
  pthread_mutex_unlock(&desk->queue.mutex_);
  return desk;
}

}  // namespace desk

int main() {
  desk::Desk desk;
  void *(*threads[])(desk::Desk *) = {desk::accept, desk::serve, desk::lookup, desk::lookup, desk::work, desk::work};
  pthread_t ids[6];
  pthread_barrier_init(&desk.both, nullptr, 4);
  for (int i = 0; i < 6; i++)
    pthread_create(&ids[i], nullptr, reinterpret_cast<void *(*)(void *)>(threads[i]), &desk);
  for (pthread_t id : ids) pthread_join(id, nullptr);
}
