/* A call of compiled code by XLA: the handler of its foreign function interface, in the layouts of jaxlib's
   xla/ffi/api/c_api.h. One handler serves all functions: the attribute of a call is the address of what is called. */

typedef unsigned long long size;
typedef struct Error Error;

typedef struct Extension {
  size struct_size;
  int type;
  struct Extension *next;
} Extension;

typedef struct {
  size struct_size;
  Extension *extensions;
  int major, minor;
} Version;

typedef struct {
  size struct_size;
  Version version;
  unsigned traits;
} Metadata;

typedef struct {
  Extension base;
  Metadata *metadata;
} Asked; /* what the handler is: the extension of type 1 */

typedef struct {
  size struct_size;
  Extension *extensions;
  const char *message;
  int code;
} Failure;

typedef struct {
  size struct_size;
  Extension *extensions;
  Version version;
  const void *internal;
  Error *(*error)(Failure *);
} Api;

typedef struct {
  size struct_size;
  Extension *extensions;
  long long count;
  int *types;
  void **items;
} Buffers;

typedef struct {
  size struct_size;
  Extension *extensions;
  long long count;
  int *types;
  void **names;
  void **items;
} Attributes;

typedef struct {
  size struct_size;
  Extension *extensions;
  int dtype;
  void *data;
} Buffer;

typedef struct {
  int dtype;
  void *value;
} Scalar;

typedef struct {
  size struct_size;
  Extension *extensions;
  const Api *api;
  void *context;
  int stage;
  Buffers args, results;
  Attributes attributes;
} Frame;

/* as runtime/xla.py lays it out: every field takes eight bytes */
typedef struct {
  int (*entry)(void **buffers, const long long *sizes, ft_call *call);
  long long nin, first_out, nout, nslices, nbuffers, arena, flags, threads;
  ft_pool *pool;
  void **buffers;
  const long long *sizes, *offsets;
  const char *refused;
} Call;

enum { INTERNAL = 13, LINE = 64 };
enum { VERSION_MINOR = 1 }; /* of the layouts above; XLA takes what is not newer than its own */

void *malloc(size bytes);
void free(void *memory);

static Error *failed(const Frame *f, const char *message) {
  Failure said = {sizeof said, 0, message, INTERNAL};
  return f->api->error(&said);
}

static Error *handler(Frame *f) {
  for (Extension *e = f->extensions; e; e = e->next)
    if (e->type == 1) {
      Metadata *m = ((Asked *)e)->metadata;
      m->version.major = 0;
      m->version.minor = VERSION_MINOR;
      m->traits = 0;
      return 0;
    }
  const Call *c = *(Call *const *)((const Scalar *)f->attributes.items[0])->value;
  if (f->args.count != c->nin || f->results.count != c->nout) return failed(f, "functrans: wrong number of buffers");
  void **buffers = malloc((size)c->nbuffers * sizeof(void *) + LINE + (size)c->arena);
  if (!buffers) return failed(f, "functrans: no memory for intermediate values");
  char *arena = (char *)(((size)(buffers + c->nbuffers) + LINE - 1) / LINE * LINE);
  ft_call call = {c->pool, c->threads, {-1, 0}, 0};
  for (long long k = 0; k < c->nbuffers; k++) buffers[k] = c->buffers[k];
  for (long long k = 0; k < c->nin; k++) buffers[k] = ((Buffer *)f->args.items[k])->data;
  for (long long k = 0; k < c->nout; k++) buffers[c->first_out + k] = ((Buffer *)f->results.items[k])->data;
  for (long long k = 0; k < c->nslices; k++) buffers[c->first_out + c->nout + k] = arena + c->offsets[k];
  for (long long k = 0; k < c->flags; k++) arena[k] = 0;
  while (c->entry(buffers, c->sizes, &call) == FT_AGAIN) continue;
  int refused = 0;
  for (long long k = 0; k < c->flags; k++) refused |= arena[k];
  free(buffers);
  return refused ? failed(f, c->refused) : 0;
}

int ft_entry(void **buffers, const long long *sizes) {
  *(Error *(**)(Frame *))buffers[0] = handler;
  return (int)(*sizes - *sizes);
}
