import Foundation
@preconcurrency internal import Glibc

/// Runs a program to its end and returns its standard output and exit status, -1 if a signal ended it.
///
/// Through sockets that no other child inherits, and not by Foundation's `Process`, which waits for daemons that a
/// program leaves behind, as tmux does.
@discardableResult
public func run(_ program: String, _ arguments: [String]) throws -> (output: String, status: Int32) {
  var ends: [Int32] = [-1, -1]
  let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
  defer { close(ends[0]) }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
  // Threads of tests block signals, and children inherit that: a tmux that never hears that its child ended.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var (none, all) = (sigset_t(), sigset_t())
  sigemptyset(&none)
  sigfillset(&all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
  defer { words.forEach { free($0) } }
  words.append(nil)
  var process: pid_t = 0
  let problem = posix_spawnp(&process, program, &actions, &attributes, words, environ)
  close(ends[1])
  guard problem == 0 else { throw POSIXError(POSIXErrorCode(rawValue: problem) ?? .ENOENT) }
  var output: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while case let count = read(ends[0], &buffer, buffer.count), count > 0 { output += buffer[..<count] }
  var status: Int32 = 0
  waitpid(process, &status, 0)
  return (String(decoding: output, as: UTF8.self), status & 0x7F == 0 ? status >> 8 & 0xFF : -1)
}
