#define _GNU_SOURCE

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "discovery.h"

static const char group_4[] = "224.0.0.251";
static const char group_6[] = "ff02::fb";

static int bits(const uint8_t *mask, int count) {
  int sum = 0;
  for (int place = 0; place < count; place += 1) sum += __builtin_popcount(mask[place]);
  return sum;
}

static int take_address(const struct ifaddrs *entry, discovery_link *link) {
  switch (entry->ifa_addr->sa_family) {
  case AF_INET:
    link->version = 4;
    memcpy(link->address, &((const struct sockaddr_in *)entry->ifa_addr)->sin_addr, 4);
    link->prefix = bits((const uint8_t *)&((const struct sockaddr_in *)entry->ifa_netmask)->sin_addr, 4);
    return 1;
  case AF_INET6:
    link->version = 6;
    memcpy(link->address, &((const struct sockaddr_in6 *)entry->ifa_addr)->sin6_addr, 16);
    link->prefix = bits((const uint8_t *)&((const struct sockaddr_in6 *)entry->ifa_netmask)->sin6_addr, 16);
    return 1;
  default: return 0;
  }
}

int discovery_links(discovery_link *links, int limit) {
  struct ifaddrs *all;
  if (getifaddrs(&all) < 0) return -errno;
  int count = 0;
  for (struct ifaddrs *entry = all; entry && count < limit; entry = entry->ifa_next) {
    unsigned flags = entry->ifa_flags;
    if (!entry->ifa_addr || !entry->ifa_netmask || !(flags & IFF_UP) || !(flags & IFF_RUNNING)) continue;
    // The loopback interface lacks the flag, yet it carries multicast.
    if (!(flags & (IFF_MULTICAST | IFF_LOOPBACK)) || (flags & IFF_POINTOPOINT)) continue;
    discovery_link link = {.index = if_nametoindex(entry->ifa_name), .is_loopback = (flags & IFF_LOOPBACK) != 0};
    if (link.index == 0 || strlen(entry->ifa_name) >= sizeof link.name || !take_address(entry, &link)) continue;
    strcpy(link.name, entry->ifa_name);
    links[count] = link;
    count += 1;
  }
  freeifaddrs(all);
  return count;
}

static socklen_t place(const discovery_link *link, const uint8_t *address, uint16_t port, struct sockaddr_storage *out) {
  memset(out, 0, sizeof *out);
  if (link->version == 4) {
    struct sockaddr_in *in = (struct sockaddr_in *)out;
    in->sin_family = AF_INET;
    in->sin_port = htons(port);
    memcpy(&in->sin_addr, address, 4);
    return sizeof *in;
  }
  struct sockaddr_in6 *in = (struct sockaddr_in6 *)out;
  in->sin6_family = AF_INET6;
  in->sin6_port = htons(port);
  memcpy(&in->sin6_addr, address, 16);
  if (IN6_IS_ADDR_LINKLOCAL(&in->sin6_addr) || IN6_IS_ADDR_MC_LINKLOCAL(&in->sin6_addr))
    in->sin6_scope_id = link->index;
  return sizeof *in;
}

static int set_link(int socket, const discovery_link *link) {
  const int yes = 1, hops = 255;
  if (link->version == 4) {
    struct ip_mreqn request = {.imr_ifindex = (int)link->index};
    return setsockopt(socket, IPPROTO_IP, IP_MULTICAST_IF, &request, sizeof request) == 0
      && setsockopt(socket, IPPROTO_IP, IP_MULTICAST_TTL, &hops, sizeof hops) == 0
      && setsockopt(socket, IPPROTO_IP, IP_MULTICAST_LOOP, &yes, sizeof yes) == 0;
  }
  const int index = (int)link->index;
  return setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes) == 0
    && setsockopt(socket, IPPROTO_IPV6, IPV6_MULTICAST_IF, &index, sizeof index) == 0
    && setsockopt(socket, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &hops, sizeof hops) == 0
    && setsockopt(socket, IPPROTO_IPV6, IPV6_MULTICAST_LOOP, &yes, sizeof yes) == 0;
}

int discovery_open(const discovery_link *link) {
  int made = socket(link->version == 4 ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0) return -errno;
  struct sockaddr_storage own;
  // Bound to the address of the link: messages to another address of this machine are not received.
  socklen_t size = place(link, link->address, 0, &own);
  if (set_link(made, link) && bind(made, (struct sockaddr *)&own, size) == 0) return made;
  int problem = errno;
  close(made);
  return -problem;
}

int discovery_ask(int socket, const discovery_link *link, uint16_t port, const uint8_t *message, size_t count) {
  uint8_t group[DISCOVERY_ADDRESS];
  inet_pton(link->version == 4 ? AF_INET : AF_INET6, link->version == 4 ? group_4 : group_6, group);
  struct sockaddr_storage all;
  socklen_t size = place(link, group, port, &all);
  return sendto(socket, message, count, MSG_NOSIGNAL, (struct sockaddr *)&all, size) < 0 ? -errno : 0;
}

int discovery_wait(const int *sockets, int count, int first, int milliseconds) {
  struct pollfd polled[DISCOVERY_LINKS];
  if (count < 1 || count > DISCOVERY_LINKS) return -1;
  for (int at = 0; at < count; at += 1) polled[at] = (struct pollfd){.fd = sockets[at], .events = POLLIN};
  if (poll(polled, (nfds_t)count, milliseconds) <= 0) return -1;
  for (int step = 0; step < count; step += 1)
    if (polled[(first + step) % count].revents) return (first + step) % count;
  return -1;
}

long discovery_receive(
  int socket, const discovery_link *link, uint8_t *message, size_t room, uint8_t *source, uint16_t *port) {
  struct sockaddr_storage from;
  socklen_t size = sizeof from;
  long count = recvfrom(socket, message, room, MSG_TRUNC | MSG_DONTWAIT, (struct sockaddr *)&from, &size);
  if (count < 0) return -1;
  memset(source, 0, DISCOVERY_ADDRESS);
  if (link->version == 4) {
    memcpy(source, &((struct sockaddr_in *)&from)->sin_addr, 4);
    *port = ntohs(((struct sockaddr_in *)&from)->sin_port);
  } else {
    memcpy(source, &((struct sockaddr_in6 *)&from)->sin6_addr, 16);
    *port = ntohs(((struct sockaddr_in6 *)&from)->sin6_port);
  }
  return count > (long)room ? DISCOVERY_MESSAGE + 1 : count;
}

void discovery_close(int socket) { close(socket); }
