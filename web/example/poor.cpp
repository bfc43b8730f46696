// A crash of a stripped program without unwind tables: what its stack holds below the failing function has to be guessed.
struct Order {
  long price;
  Order *next;
};

struct Ring {
  int size;
  Order *items[4];
};

__attribute__((noinline)) long total(const Ring *ring, int depth) {
  long sum = 0;
  for (int i = 0; i < ring->size; i++) sum += ring->items[i]->price * depth;
  return sum;
}

__attribute__((noinline)) long settle(const Ring *ring, int depth) {
  volatile long lines[24];
  for (int i = 0; i < 24; i++) lines[i] = depth * i;
  if (depth == 0) return total(ring, 3) + lines[5];
  return settle(ring, depth - 1) + lines[depth];
}

int main() {
  Order orders[] = {{128, nullptr}, {64, nullptr}};
  Ring ring = {4, {&orders[0], &orders[1], reinterpret_cast<Order *>(0x10), &orders[0]}};
  return static_cast<int>(settle(&ring, 4));
}
