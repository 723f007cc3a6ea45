#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "camera.h"

static int open_device(void *context, const char *path, int *error) {
  (void)context;
  int device = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  struct stat about;
  if (device >= 0 && (fstat(device, &about) < 0 || !S_ISCHR(about.st_mode))) {
    close(device);
    *error = ENODEV;
    return -1;
  }
  *error = errno;
  return device;
}

static int control(void *context, int device, unsigned long request, void *argument, int *error) {
  (void)context;
  int outcome = ioctl(device, request, argument);
  *error = outcome < 0 ? errno : 0;
  return outcome;
}

static void *map(void *context, int device, size_t count, long place) {
  (void)context;
  void *memory = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED, device, place);
  return memory == MAP_FAILED ? NULL : memory;
}

static void unmap(void *context, void *memory, size_t count) {
  (void)context;
  munmap(memory, count);
}

static int wait_for_frame(void *context, int device, int milliseconds) {
  (void)context;
  struct pollfd polled = {.fd = device, .events = POLLIN};
  if (poll(&polled, 1, milliseconds) <= 0) return 0;
  return polled.revents & POLLIN ? 1 : -1;
}

static void close_device(void *context, int device) {
  (void)context;
  close(device);
}

camera_system camera_of_linux(void) {
  return (camera_system){
    .open = open_device, .control = control, .map = map, .unmap = unmap, .wait = wait_for_frame, .close = close_device};
}
