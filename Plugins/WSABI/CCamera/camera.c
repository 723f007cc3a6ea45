#include "camera.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
  most_buffers = 8,
  wanted_buffers = 4,
  most_edge = 16384,
  most_bytes = 1 << 28,
};

struct camera {
  camera_system system;
  int device;
  char name[CAMERA_NAME];
  struct {
    void *memory;
    size_t count;
  } buffers[most_buffers];
  int buffer_count;
  int is_streaming;
  /// The number of bytes of a whole frame; 0 if only the frame itself determines it.
  size_t whole;
};

static camera_problem problem_of(int error) {
  switch (error) {
  case ENOENT:
  case ENODEV:
  case ENXIO:
  case EIO: return CAMERA_GONE;
  case EACCES:
  case EPERM: return CAMERA_REFUSED;
  case EBUSY:
  case ENOSPC: return CAMERA_BUSY;
  default: return CAMERA_FAILED;
  }
}

static int control(camera *opened, unsigned long request, void *argument) {
  int error = 0;
  int tries = 0;
  while (opened->system.control(opened->system.context, opened->device, request, argument, &error) < 0) {
    tries += 1;
    if (error != EINTR || tries > 100) return error == 0 ? EIO : error;
  }
  return 0;
}

camera_problem camera_open(const camera_system *system, const char *path, camera **opened) {
  int error = 0;
  int device = system->open(system->context, path, &error);
  if (device < 0) return problem_of(error);
  camera *made = calloc(1, sizeof *made);
  if (!made) {
    system->close(system->context, device);
    return CAMERA_FAILED;
  }
  made->system = *system;
  made->device = device;
  struct v4l2_capability about = {0};
  error = control(made, VIDIOC_QUERYCAP, &about);
  unsigned abilities = about.capabilities & V4L2_CAP_DEVICE_CAPS ? about.device_caps : about.capabilities;
  const unsigned needed = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
  if (error != 0 || (abilities & needed) != needed) {
    camera_close(made);
    camera_problem problem = problem_of(error);
    return error == 0 || problem == CAMERA_FAILED ? CAMERA_NO_CAMERA : problem;
  }
  memcpy(made->name, about.card, sizeof about.card);
  *opened = made;
  return CAMERA_OK;
}

void camera_close(camera *opened) {
  camera_stop(opened);
  opened->system.close(opened->system.context, opened->device);
  free(opened);
}

const char *camera_name(const camera *opened) { return opened->name; }

static unsigned pixels_of(camera_form form) { return form == CAMERA_JPEG ? V4L2_PIX_FMT_MJPEG : V4L2_PIX_FMT_YUYV; }

static int add(camera_size *sizes, int count, int limit, camera_form form, unsigned width, unsigned height) {
  if (count >= limit || width < 16 || height < 16 || width > most_edge || height > most_edge) return count;
  sizes[count] = (camera_size){.form = form, .width = (int)width, .height = (int)height};
  return count + 1;
}

static int add_sizes(camera *opened, camera_form form, camera_size *sizes, int count, int limit) {
  for (unsigned index = 0; index < CAMERA_SIZES && count < limit; index += 1) {
    struct v4l2_frmsizeenum size = {.index = index, .pixel_format = pixels_of(form)};
    if (control(opened, VIDIOC_ENUM_FRAMESIZES, &size) != 0) break;
    if (size.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
      count = add(sizes, count, limit, form, size.discrete.width, size.discrete.height);
    } else {
      return add(sizes, count, limit, form, size.stepwise.max_width, size.stepwise.max_height);
    }
  }
  return count;
}

int camera_sizes(camera *opened, camera_size *sizes, int limit) {
  int count = 0;
  for (unsigned index = 0; index < 64; index += 1) {
    struct v4l2_fmtdesc format = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    if (control(opened, VIDIOC_ENUM_FMT, &format) != 0) break;
    int before = count;
    camera_form form;
    switch (format.pixelformat) {
    case V4L2_PIX_FMT_MJPEG: form = CAMERA_JPEG; break;
    case V4L2_PIX_FMT_YUYV: form = CAMERA_YUYV; break;
    default: continue;
    }
    count = add_sizes(opened, form, sizes, count, limit);
    // A driver that does not list sizes uses the nearest one.
    if (count == before) count = add(sizes, count, limit, form, 640, 480);
  }
  return count;
}

static camera_problem set_size(camera *opened, camera_size size, struct v4l2_format *format) {
  *format = (struct v4l2_format){.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  format->fmt.pix.width = (unsigned)size.width;
  format->fmt.pix.height = (unsigned)size.height;
  format->fmt.pix.pixelformat = pixels_of(size.form);
  format->fmt.pix.field = V4L2_FIELD_NONE;
  int error = control(opened, VIDIOC_S_FMT, format);
  if (error != 0) return problem_of(error);
  const struct v4l2_pix_format *pixels = &format->fmt.pix;
  if (pixels->pixelformat != pixels_of(size.form)) return CAMERA_NO_FORMAT;
  if (pixels->width < 1 || pixels->height < 1 || pixels->width > most_edge || pixels->height > most_edge)
    return CAMERA_FAILED;
  return CAMERA_OK;
}

camera_problem camera_try(camera *opened, camera_size size) {
  struct v4l2_format format;
  return opened->is_streaming ? CAMERA_OK : set_size(opened, size, &format);
}

static void release_buffers(camera *opened) {
  for (int index = 0; index < opened->buffer_count; index += 1)
    opened->system.unmap(opened->system.context, opened->buffers[index].memory, opened->buffers[index].count);
  opened->buffer_count = 0;
  struct v4l2_requestbuffers none = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
  control(opened, VIDIOC_REQBUFS, &none);
}

static camera_problem share_buffers(camera *opened) {
  struct v4l2_requestbuffers request = {
    .count = wanted_buffers, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
  int error = control(opened, VIDIOC_REQBUFS, &request);
  if (error != 0) return error == EINVAL ? CAMERA_NO_CAMERA : problem_of(error);
  if (request.count < 2) return CAMERA_FAILED;
  int count = request.count < most_buffers ? (int)request.count : most_buffers;
  for (int index = 0; index < count; index += 1) {
    struct v4l2_buffer buffer = {
      .index = (unsigned)index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
    error = control(opened, VIDIOC_QUERYBUF, &buffer);
    if (error != 0) return problem_of(error);
    if (buffer.length < 1 || buffer.length > most_bytes) return CAMERA_FAILED;
    void *memory = opened->system.map(opened->system.context, opened->device, buffer.length, buffer.m.offset);
    if (!memory) return CAMERA_FAILED;
    opened->buffers[index].memory = memory;
    opened->buffers[index].count = buffer.length;
    opened->buffer_count = index + 1;
    error = control(opened, VIDIOC_QBUF, &buffer);
    if (error != 0) return problem_of(error);
  }
  return CAMERA_OK;
}

camera_problem camera_start(camera *opened, camera_size size, camera_size *actual, size_t *stride) {
  camera_stop(opened);
  struct v4l2_format format;
  camera_problem problem = set_size(opened, size, &format);
  if (problem != CAMERA_OK) return problem;
  const struct v4l2_pix_format *pixels = &format.fmt.pix;
  *actual = (camera_size){.form = size.form, .width = (int)pixels->width, .height = (int)pixels->height};
  *stride = 0;
  if (size.form == CAMERA_YUYV) {
    *stride = pixels->bytesperline < 2 * pixels->width ? 2 * pixels->width : pixels->bytesperline;
    if (*stride > most_bytes / pixels->height) return CAMERA_FAILED;
  }
  opened->whole = *stride * pixels->height;
  problem = share_buffers(opened);
  if (problem == CAMERA_OK) {
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    int error = control(opened, VIDIOC_STREAMON, &type);
    if (error != 0) problem = problem_of(error);
  }
  if (problem == CAMERA_OK)
    opened->is_streaming = 1;
  else
    release_buffers(opened);
  return problem;
}

camera_problem camera_frame(
  camera *opened, int milliseconds, void (*take)(void *context, const uint8_t *bytes, size_t count), void *context) {
  if (!opened->is_streaming) return CAMERA_FAILED;
  int ready = opened->system.wait(opened->system.context, opened->device, milliseconds);
  if (ready < 0) return CAMERA_GONE;
  if (ready == 0) return CAMERA_SILENT;
  struct v4l2_buffer buffer = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
  int error = control(opened, VIDIOC_DQBUF, &buffer);
  if (error == EAGAIN) return CAMERA_SILENT;
  if (error != 0) return problem_of(error);
  if (buffer.index >= (unsigned)opened->buffer_count) return CAMERA_FAILED;
  size_t count = buffer.bytesused;
  int is_whole = !(buffer.flags & V4L2_BUF_FLAG_ERROR) && count > 0 && count >= opened->whole
    && count <= opened->buffers[buffer.index].count;
  if (is_whole) take(context, opened->buffers[buffer.index].memory, count);
  error = control(opened, VIDIOC_QBUF, &buffer);
  if (error != 0) return problem_of(error);
  return is_whole ? CAMERA_OK : CAMERA_SPOILT;
}

void camera_stop(camera *opened) {
  if (!opened->is_streaming) return;
  opened->is_streaming = 0;
  int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  control(opened, VIDIOC_STREAMOFF, &type);
  release_buffers(opened);
}
