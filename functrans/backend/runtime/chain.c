/* Parts of a program, one after the other. sizes: how many they are; of each the place of its address among the buffers,
   how many buffers it is given and which, and how many sizes and these. */
typedef int entry(void **, const long long *, ft_call *);

int ft_entry(void **buffers, const long long *sizes, ft_call *call) {
  (void)call;
  for (long long left = *sizes++; left; left--) {
    entry *const part = *(entry **)buffers[sizes[0]];
    const long long count = sizes[1];
    void *given[count + 1];
    for (long long k = 0; k < count; k++) given[k] = buffers[sizes[2 + k]];
    sizes += 2 + count;
    ft_call own = {0, 1, {-1, 0}, 0};
    while (part(given, sizes + 1, &own) == FT_AGAIN) {}
    sizes += 1 + *sizes;
  }
  return 0;
}
