#ifndef WORKBENCH_DISCOVERY_H
#define WORKBENCH_DISCOVERY_H

// Questions to all machines of a link, and their answers. Messages are written and read by glibc's own resolver, whose
// libresolv is opened at the first use. This code never parses the bytes of a message itself.
//
// - Source: RFC 1035 (messages), RFC 6762 (multicast DNS), RFC 3542 (links of IPv6).

#include <stddef.h>
#include <stdint.h>

enum {
  /// The longest message, in bytes.
  ///
  /// - Source: RFC 6762, section 17.
  DISCOVERY_MESSAGE = 9000,
  /// The longest encoded name in a message, in bytes.
  ///
  /// - Source: RFC 1035, section 2.3.4.
  DISCOVERY_NAME = 255,
  /// The size of an address, in bytes; IPv4 uses the first 4.
  DISCOVERY_ADDRESS = 16,
  /// The size of an interface's name with its terminator, in bytes.
  DISCOVERY_LINK_NAME = 16,
  /// The largest number of links queried.
  DISCOVERY_LINKS = 64,
};

// MARK: Messages

/// Opens libresolv, once. No message may be written or read before this returns NULL.
///
/// - Returns: NULL, or the reason libresolv cannot be used.
const char *discovery_begin(void);

/// Writes a question of class IN.
///
/// - Parameters:
///   - name: The encoded name: labels after their lengths, the empty one last.
///   - number: Set to the number that answers repeat.
/// - Returns: The length of the message; -1 for a malformed name.
long discovery_write_question(
  uint8_t *message, size_t room, const uint8_t *name, size_t name_count, int type, uint16_t *number);

/// The header of a message.
typedef struct {
  uint16_t number;
  int is_answer;
  /// 0 for a plain query.
  int operation;
  /// 0 for no error.
  int outcome;
  int is_cut;
  /// The number of questions it repeats.
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
  /// The owner of the record.
  uint8_t name[DISCOVERY_NAME];
  size_t name_count;
  /// The target of a pointer or a service; empty for other types.
  uint8_t target[DISCOVERY_NAME];
  size_t target_count;
  /// The port of a service.
  uint16_t port;
  /// The record's own bytes, within the message.
  const uint8_t *data;
  size_t data_count;
} discovery_record;

/// Reads a message.
///
/// - Parameters:
///   - limit: The largest number of records read; the rest is ignored.
///   - take: Receives the records in order; a damaged one ends the message.
/// - Returns: The number of records read; -1 if this is not a message, and then the head is not set.
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
  /// The number of leading address bits that all machines of the link share.
  int prefix;
  int is_loopback;
} discovery_link;

/// Lists the interfaces that are up and can multicast, including the loopback interface.
///
/// - Returns: The number of interfaces, `limit` at most; on failure the system's error number, negative.
int discovery_links(discovery_link *links, int limit);

/// Opens a socket at a random port for one link; its messages stay on that link.
///
/// - Returns: The descriptor, or the system's error number, negative.
int discovery_open(const discovery_link *link);

/// Sends a message to the multicast DNS group.
///
/// - Returns: 0, or the system's error number, negative.
int discovery_ask(int socket, const discovery_link *link, uint16_t port, const uint8_t *message, size_t count);

/// Waits until one of the sockets has data.
///
/// - Parameter first: The index of the socket checked first, so that a flooded one does not starve the others.
/// - Returns: The index of the socket, from 0; -1 if none had data in that time.
int discovery_wait(const int *sockets, int count, int first, int milliseconds);

/// Receives a message.
///
/// - Parameter source: Set to the sender's address, in the link's IP version.
/// - Returns: The number of bytes; `DISCOVERY_MESSAGE + 1` for a longer message; -1 for none.
long discovery_receive(
  int socket, const discovery_link *link, uint8_t *message, size_t room, uint8_t *source, uint16_t *port);

void discovery_close(int socket);

#endif
