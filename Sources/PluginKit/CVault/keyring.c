#define _GNU_SOURCE

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vault.h"

// Numbers of linux/keyctl.h, which is not installed everywhere.
enum {
  session_keyring = -3,
  user_keyring = -4,
  keyctl_link = 8,
  keyctl_search = 10,
  keyctl_read = 11,
  keyctl_set_timeout = 15,
  keyctl_invalidate = 21,
};

/// Links the user's keyring to the session's: the kernel gives keys only to processes that can reach them from there.
static void reach(void) { syscall(SYS_keyctl, keyctl_link, user_keyring, session_keyring); }

static long find(const char *name) {
  reach();
  return syscall(SYS_keyctl, keyctl_search, user_keyring, "user", name, 0);
}

int vault_keyring_put(const char *name, const uint8_t *key, size_t count, unsigned seconds) {
  reach();
  long serial = syscall(SYS_add_key, "user", name, key, count, user_keyring);
  if (serial < 0) return errno;
  if (syscall(SYS_keyctl, keyctl_set_timeout, serial, seconds) < 0) {
    int problem = errno;
    syscall(SYS_keyctl, keyctl_invalidate, serial);
    return problem;
  }
  return 0;
}

long vault_keyring_look(const char *name, uint8_t *key, size_t count) {
  long serial = find(name);
  return serial < 0 ? -1 : syscall(SYS_keyctl, keyctl_read, serial, key, count);
}

long vault_keyring_get(const char *name, uint8_t *key, size_t count, unsigned seconds) {
  long found = vault_keyring_look(name, key, count);
  if (found >= 0) syscall(SYS_keyctl, keyctl_set_timeout, find(name), seconds);
  return found;
}

int vault_keyring_drop(const char *name) {
  long serial = find(name);
  if (serial < 0) return 0;
  return syscall(SYS_keyctl, keyctl_invalidate, serial) == 0;
}
