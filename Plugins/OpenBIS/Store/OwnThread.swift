import Glibc

/// A thread for one piece of work that waits.
enum OwnThread {
  /// Runs a piece of work on a thread of its own.
  static func run(_ work: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Work(work))
    if pthread_create(&thread, nil, runOwnThread, box.toOpaque()) == 0 {
      pthread_detach(thread)
    } else {
      box.takeRetainedValue().run()
    }
  }
}

/// The piece of work on its way to the thread.
private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runOwnThread(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let box { Unmanaged<Work>.fromOpaque(box).takeRetainedValue().run() }
  return nil
}
