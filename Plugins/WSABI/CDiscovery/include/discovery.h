#ifndef WORKBENCH_DISCOVERY_H
#define WORKBENCH_DISCOVERY_H

// Questions to all machines of a link, and their answers: messages are written and read by glibc's own resolver, whose
// libresolv is opened at the first use; nothing here reads the bytes of a message itself.
//
// - Source: RFC 1035 (messages), RFC 6762 (multicast DNS), RFC 3542 (links of IPv6).

#include <stddef.h>
#include <stdint.h>

enum {
  /// The longest message, in bytes.
  ///
  /// - Source: RFC 6762, section 17.
  DISCOVERY_MESSAGE = 9000,
  /// The longest name as messages have it, in bytes.
  ///
  /// - Source: RFC 1035, section 2.3.4.
  DISCOVERY_NAME = 255,
  /// Of an address, in bytes; the fourth version takes the first 4.
  DISCOVERY_ADDRESS = 16,
  /// Of the name of an interface with its end, in bytes.
  DISCOVERY_LINK_NAME = 16,
  /// How many links are asked at most.
  DISCOVERY_LINKS = 64,
};

// MARK: Messages

/// Opens libresolv, once. No message may be written or read before it gave NULL.
///
/// - Returns: NULL, or why it cannot be used.
const char *discovery_begin(void);

/// Writes a question of class IN.
///
/// - Parameters:
///   - name: As messages have it: labels behind their lengths, the empty one last.
///   - number: Comes back with answers.
/// - Returns: The length of the message; -1 for a name that is none.
long discovery_write_question(
  uint8_t *message, size_t room, const uint8_t *name, size_t name_count, int type, uint16_t *number);

/// What the head of a message says.
typedef struct {
  uint16_t number;
  int is_answer;
  /// 0 for a plain query.
  int operation;
  /// 0 for no error.
  int outcome;
  int is_cut;
  /// How many questions it repeats.
  int questions;
  /// The first of them.
  uint8_t name[DISCOVERY_NAME];
  size_t name_count;
  int type;
} discovery_head;

/// A record of a message.
typedef struct {
  int type;
  uint32_t seconds;
  /// Whose record it is.
  uint8_t name[DISCOVERY_NAME];
  size_t name_count;
  /// Where a pointer or a service leads; empty for other types.
  uint8_t target[DISCOVERY_NAME];
  size_t target_count;
  /// Of a service.
  uint16_t port;
  /// The record's own bytes, within the message.
  const uint8_t *data;
  size_t data_count;
} discovery_record;

/// Reads a message.
///
/// - Parameters:
///   - limit: How many records are taken at most; the rest is left.
///   - take: Gets the records in order; one that is damaged ends the message.
/// - Returns: How many records were taken; -1 for what is no message, and the head is not set then.
int discovery_read(
  const uint8_t *message, size_t count, int limit, discovery_head *head,
  void (*take)(void *context, const discovery_record *record), void *context);

// MARK: Links

/// An interface that is up, with one of its addresses.
typedef struct {
  char name[DISCOVERY_LINK_NAME];
  unsigned index;
  /// 4 or 6.
  int version;
  uint8_t address[DISCOVERY_ADDRESS];
  /// How many bits of the address all machines of the link share.
  int prefix;
  int is_loopback;
} discovery_link;

/// The interfaces that are up and can ask all at once: those of the loopback are among them.
///
/// - Returns: How many there are, `limit` at most; the system's error number, negative.
int discovery_links(discovery_link *links, int limit);

/// Opens a socket at a port by chance for one link; what it sends stays on that link.
///
/// - Returns: The descriptor, or the system's error number, negative.
int discovery_open(const discovery_link *link);

/// Asks the group of multicast DNS.
///
/// - Returns: 0, or the system's error number, negative.
int discovery_ask(int socket, const discovery_link *link, uint16_t port, const uint8_t *message, size_t count);

/// Waits until one of the sockets has something.
///
/// - Parameter first: Which is looked at first, from 0, so that none that is flooded keeps the others waiting.
/// - Returns: Which, from 0; -1 if none had in that time.
int discovery_wait(const int *sockets, int count, int first, int milliseconds);

/// Takes what has arrived.
///
/// - Parameter source: From where, in the version of the link.
/// - Returns: How many bytes; `DISCOVERY_MESSAGE + 1` for what is longer; -1 for nothing.
long discovery_receive(
  int socket, const discovery_link *link, uint8_t *message, size_t room, uint8_t *source, uint16_t *port);

void discovery_close(int socket);

#endif
