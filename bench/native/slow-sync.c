/* LD_PRELOAD: every sync takes SLOW_SYNC_MICROS longer, as on a slower disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_for_disk(void) {
  const char *micros = getenv("SLOW_SYNC_MICROS");
  if (micros) usleep(atoi(micros));
}

int fsync(int fd) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fsync");
  wait_for_disk();
  return real(fd);
}

int fdatasync(int fd) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
  wait_for_disk();
  return real(fd);
}
