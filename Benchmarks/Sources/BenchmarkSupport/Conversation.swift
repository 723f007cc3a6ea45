@preconcurrency import Glibc

/// A program that answers lines with lines, over its standard streams.
public final class Conversation {
  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private var pending: [UInt8] = []

  /// Starts a program; nil if it cannot be started.
  public init?(_ arguments: [String]) {
    var (requests, responses): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&requests) == 0, pipe(&responses) == 0 else { return nil }
    (input, output) = (requests[1], responses[0])
    // The program must see the end of its input, which it would keep open itself.
    for end in [input, output] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, requests[0], 0)
    posix_spawn_file_actions_adddup2(&actions, responses[1], 1)
    let process = Program.start(arguments, &actions)
    close(requests[0])
    close(responses[1])
    self.process = process ?? -1
    if process == nil { return nil }
  }

  /// Sends a line and waits for one; nil if the program ended.
  public func exchange(_ line: [UInt8]) -> [UInt8]? {
    guard write(input, line, line.count) == line.count else { return nil }
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending.removeFirst(end + 1) }
        return Array(pending[..<end])
      }
      var room = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &room, room.count)
      if count <= 0 { return nil }
      pending += room.prefix(count)
    }
  }

  /// Ends the input and waits for the end of the program.
  public func end() {
    close(input)
    close(output)
    waitpid(process, nil, 0)
  }
}
