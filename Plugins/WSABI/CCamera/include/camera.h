#ifndef WORKBENCH_CAMERA_H
#define WORKBENCH_CAMERA_H

// Cameras of this machine by Video4Linux, version 2: frames in memory that the driver shares.
//
// - Source: Linux kernel, "Video for Linux API" (userspace-api/media/v4l), chapters 1 to 3 and 7.

#include <stddef.h>
#include <stdint.h>

// What a device of tests is asked with.
#include <linux/videodev2.h>

enum {
  /// Of the name of a camera with its end, in bytes.
  CAMERA_NAME = 33,
  /// How many sizes of a camera are looked at.
  CAMERA_SIZES = 128,
};

// What devices are asked, as numbers.
static const unsigned long camera_capabilities = VIDIOC_QUERYCAP;
static const unsigned long camera_forms = VIDIOC_ENUM_FMT;
static const unsigned long camera_frame_sizes = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long camera_set_form = VIDIOC_S_FMT;
static const unsigned long camera_request_buffers = VIDIOC_REQBUFS;
static const unsigned long camera_query_buffer = VIDIOC_QUERYBUF;
static const unsigned long camera_give_buffer = VIDIOC_QBUF;
static const unsigned long camera_take_buffer = VIDIOC_DQBUF;
static const unsigned long camera_begin = VIDIOC_STREAMON;
static const unsigned long camera_end = VIDIOC_STREAMOFF;
// Forms of pixels.
static const unsigned camera_jpeg_pixels = V4L2_PIX_FMT_MJPEG;
static const unsigned camera_yuyv_pixels = V4L2_PIX_FMT_YUYV;

/// Why something did not go; 0 is success.
typedef enum {
  CAMERA_OK = 0,
  /// There is none, or it was unplugged.
  CAMERA_GONE,
  /// The user may not use it.
  CAMERA_REFUSED,
  /// Somebody else uses it.
  CAMERA_BUSY,
  /// A device that is no camera, or none that shares memory.
  CAMERA_NO_CAMERA,
  /// It has no pictures in a form that can be read.
  CAMERA_NO_FORMAT,
  /// Nothing came in time.
  CAMERA_SILENT,
  /// A frame came that is damaged or not whole.
  CAMERA_SPOILT,
  /// The driver says what it may not say, or refuses without reason.
  CAMERA_FAILED,
} camera_problem;

/// Through what devices are reached: the system, or a device of tests.
///
/// Functions give -1 and an error number as those of the system do.
typedef struct camera_system {
  void *context;
  int (*open)(void *context, const char *path, int *error);
  int (*control)(void *context, int device, unsigned long request, void *argument, int *error);
  void *(*map)(void *context, int device, size_t count, long place);
  void (*unmap)(void *context, void *memory, size_t count);
  /// 1 as soon as there is a frame, 0 if none came in that time, -1 if the device is gone.
  int (*wait)(void *context, int device, int milliseconds);
  void (*close)(void *context, int device);
} camera_system;

/// The devices of this machine.
camera_system camera_of_linux(void);

/// How a frame is written.
typedef enum {
  CAMERA_JPEG = 1,
  /// Two pixels in four bytes: brightness, blue difference, brightness, red difference.
  CAMERA_YUYV = 2,
} camera_form;

typedef struct {
  camera_form form;
  /// In pixels.
  int width;
  int height;
} camera_size;

typedef struct camera camera;

/// Opens a camera; takes no pictures yet. Not for use from several threads at once.
camera_problem camera_open(const camera_system *system, const char *path, camera **opened);

/// Ends everything and closes it.
void camera_close(camera *opened);

/// What the camera is called; not to be trusted to be text.
const char *camera_name(const camera *opened);

/// The sizes it has pictures in, with their forms.
///
/// - Returns: How many, `limit` at most.
int camera_sizes(camera *opened, camera_size *sizes, int limit);

/// Whether it could take pictures of a size now; nothing is begun.
camera_problem camera_try(camera *opened, camera_size size);

/// Begins to take pictures; the driver may choose a size near that one.
///
/// - Parameters:
///   - actual: What it chose.
///   - stride: How many bytes a row takes; 0 for JPEG.
camera_problem camera_start(camera *opened, camera_size size, camera_size *actual, size_t *stride);

/// Waits for a frame and hands it over.
camera_problem camera_frame(
  camera *opened, int milliseconds, void (*take)(void *context, const uint8_t *bytes, size_t count), void *context);

/// Takes no more pictures.
void camera_stop(camera *opened);

#endif
