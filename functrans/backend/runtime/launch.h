/* The launcher: from a Python call to NumPy arrays through one call of compiled code.

   A Launch holds one Record for each signature of a jitted function: what the arguments must be, what the results
   are, where everything stands in the list of buffers. A call that fits a Record runs here; any other is answered
   with NotImplemented, and the caller takes the long way, which knows every case and every error message.
   Compiled once for each Python, NumPy and compiler, with the other files of the launcher behind it in one file, and
   kept beside the compiled functions. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION /* arrays know who frees their memory */
#include <numpy/arrayobject.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define RECORDS 8     /* signatures that are tried in turn */
#define LEAVES 128    /* arguments of a call that are listed on the stack; more have memory of their own */
#define DESK 8192     /* bytes of its other lists, likewise */

typedef int (*Entry)(void **buffers, const long long *sizes, ft_call *call);

/* One place in the structure of arguments or results. The numbers are those of signature.py. */
typedef enum { ARRAY, FLOAT, INT, BOOL, COMPLEX, NONE, TUPLE, LIST, DICT, NAMED, REGISTERED, FIXED } Kind;

typedef struct Node {
  Kind kind;
  int n; /* children */
  PyObject *type;      /* of NAMED and REGISTERED */
  PyObject *how;       /* of REGISTERED: flatten for arguments, unflatten for results */
  PyObject *info;      /* the keys of DICT, the info of REGISTERED, the value of FIXED */
  PyArray_Descr *descr; /* of ARRAY: as the argument has it, in any byte order */
  long long low, high; /* of INT: what fits the dtype that it gives way to */
  Py_hash_t hash;      /* of FIXED; -1 where equality needs none */
  struct Node *child;
} Node;

/* An array as compiled code reads or writes it: C-contiguous, aligned, in this machine's byte order. */
typedef struct {
  PyArray_Descr *descr;
  int nd;
  npy_intp dims[NPY_MAXDIMS];
  npy_intp bytes;
} Array;

typedef struct {
  PyObject_HEAD
  Entry entry;
  PyObject *keep;    /* the library and the captured arrays */
  PyObject *names;   /* of the keyword arguments, sorted */
  Node args, kwargs; /* TUPLEs: one child for each argument */
  Node result;
  Py_ssize_t registered; /* classes that were pytrees when the signature was made */
  size_t desk;           /* bytes of what a call lists: numbers, buffers, results */
  int release;           /* whether other threads may run meanwhile: it pays from some microseconds on */
  int nin, nout, nbuffers, first_out, first_slice, nslices;
  Array *in, *out;
  long long *sizes;
  size_t *offsets; /* of the slices of the arena, which come behind the results */
  size_t arena, scratch; /* bytes for one thread, and for each one more */
  size_t flags;          /* bytes at the beginning of the arena that are zero unless a matrix was refused */
  ft_pool *pool;         /* 0 where one thread is enough */
  void **buffers; /* where the captured arrays are filled in */
} Record;

typedef struct {
  PyObject_HEAD
  vectorcallfunc vectorcall;
  int n, next;
  int leaves; /* of the signature that has most of them */
  Record *records[RECORDS];
} Launch;

static PyObject *running;    /* a dict that is empty unless a function is being traced, on whatever thread */
static PyObject *settings;   /* the dict of config */
static PyObject *registered; /* the dict of classes that are pytrees */
static PyObject *debug_nans, *max_threads; /* keys of settings */
static PyObject *out_name;

#define PLAIN (NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED)
