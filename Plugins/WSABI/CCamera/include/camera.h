#ifndef WORKBENCH_CAMERA_H
#define WORKBENCH_CAMERA_H

// Cameras of this machine by Video4Linux, version 2: frames in memory that the driver shares.
//
// - Source: Linux kernel, "Video for Linux API" (userspace-api/media/v4l), chapters 1 to 3 and 7.

#include <stddef.h>
#include <stdint.h>

// Simulated devices in tests need the requests of this header.
#include <linux/videodev2.h>

enum {
  /// The size of a camera's name with its terminator, in bytes.
  CAMERA_NAME = 33,
  /// The largest number of sizes read from a camera.
  CAMERA_SIZES = 128,
};

// The request codes of devices.
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
// Pixel formats.
static const unsigned camera_jpeg_pixels = V4L2_PIX_FMT_MJPEG;
static const unsigned camera_yuyv_pixels = V4L2_PIX_FMT_YUYV;

/// The reason a call failed; 0 is success.
typedef enum {
  CAMERA_OK = 0,
  /// There is no such device, or it was unplugged.
  CAMERA_GONE,
  /// The user may not use it.
  CAMERA_REFUSED,
  /// Another program uses it.
  CAMERA_BUSY,
  /// The device is not a camera, or does not share memory.
  CAMERA_NO_CAMERA,
  /// It has no pictures in a form that can be read.
  CAMERA_NO_FORMAT,
  /// No frame arrived in time.
  CAMERA_SILENT,
  /// A frame is damaged or incomplete.
  CAMERA_SPOILT,
  /// The driver violates the interface, or refuses without a reason.
  CAMERA_FAILED,
} camera_problem;

/// The functions that access devices: those of the system, or of a simulated device in tests.
///
/// Functions return -1 and set an error number, as those of the system do.
typedef struct camera_system {
  void *context;
  int (*open)(void *context, const char *path, int *error);
  int (*control)(void *context, int device, unsigned long request, void *argument, int *error);
  void *(*map)(void *context, int device, size_t count, long place);
  void (*unmap)(void *context, void *memory, size_t count);
  /// Returns 1 as soon as there is a frame, 0 if none arrived in that time, -1 if the device is gone.
  int (*wait)(void *context, int device, int milliseconds);
  void (*close)(void *context, int device);
} camera_system;

/// The devices of this machine.
camera_system camera_of_linux(void);

/// The format of a frame.
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

/// Opens a camera; takes no pictures yet. Not thread-safe.
camera_problem camera_open(const camera_system *system, const char *path, camera **opened);

/// Stops taking pictures and closes the camera.
void camera_close(camera *opened);

/// Returns the name of the camera, which may not be valid text.
const char *camera_name(const camera *opened);

/// Lists the sizes of the camera's pictures, with their formats.
///
/// - Returns: The number of sizes, `limit` at most.
int camera_sizes(camera *opened, camera_size *sizes, int limit);

/// Checks whether the camera can take pictures of a size now, without starting.
camera_problem camera_try(camera *opened, camera_size size);

/// Starts taking pictures; the driver may choose a size near the given one.
///
/// - Parameters:
///   - actual: The size it chose.
///   - stride: The number of bytes per row; 0 for JPEG.
camera_problem camera_start(camera *opened, camera_size size, camera_size *actual, size_t *stride);

/// Waits for a frame and passes it to `take`.
camera_problem camera_frame(
  camera *opened, int milliseconds, void (*take)(void *context, const uint8_t *bytes, size_t count), void *context);

/// Stops taking pictures.
void camera_stop(camera *opened);

#endif
