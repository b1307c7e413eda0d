/*
 * Runs a command with its output in pipes, as a script would, and reports on descriptor 3 what it took: wall and CPU time
 * in microseconds, peak memory in KiB. What comes on stdout is thrown away, stderr is passed on.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 16];

static long micros(struct timeval time) { return time.tv_sec * 1000000L + time.tv_usec; }

/* Reads both pipes to their ends. */
static void drain(int out, int err) {
  struct pollfd ends[] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    poll(ends, 2, -1);
    for (int i = 0; i < 2; i++) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      ssize_t size = read(ends[i].fd, buffer, sizeof buffer);
      if (size <= 0) ends[i].fd = -1;
      else if (i == 1 && write(2, buffer, size) < 0) return;
    }
  }
}

int main(int argc, char **argv) {
  struct timespec start, end;
  struct rusage usage;
  int status, out[2], err[2];
  if (argc < 2 || pipe(out) < 0 || pipe(err) < 0) return 2;
  clock_gettime(CLOCK_MONOTONIC, &start);
  pid_t child = fork();
  if (child == 0) {
    dup2(out[1], 1);
    dup2(err[1], 2);
    for (int fd = 3; fd < 16; fd++) close(fd);
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  if (child < 0) return 1;
  close(out[1]);
  close(err[1]);
  drain(out[0], err[0]);
  if (wait4(child, &status, 0, &usage) < 0) return 1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  long wall = (end.tv_sec - start.tv_sec) * 1000000L + (end.tv_nsec - start.tv_nsec) / 1000;
  dprintf(3, "{\"wall\":%ld,\"cpu\":%ld,\"peak\":%ld}\n", wall,
          micros(usage.ru_utime) + micros(usage.ru_stime), usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
