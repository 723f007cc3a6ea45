@preconcurrency import Glibc
import PluginAPI
import PluginNet
import PluginStore
import PluginXML
import Synchronization

/// A web page as readable text.
struct WebPage: Equatable, Sendable {
  var title: String
  /// The final address of the page.
  var address: String
  /// The text; each link is followed by its number in brackets.
  var text: String
  /// The links; those that do not lead to the web are dropped.
  var links: [WebLink]

  /// Creates the page from a server's response.
  ///
  /// - Parameters:
  ///   - html: The page as received.
  ///   - encoding: The name of its character set if the server stated it.
  ///   - address: Its address.
  /// - Throws: The errors of ``ReadablePage``.
  init(html: [UInt8], encoding: String?, address: String) throws(XMLError) {
    let page = try ReadablePage(html: html, encoding: encoding)
    let base = page.base.flatMap { HTTPAddress.resolved($0, against: address) } ?? address
    self.address = address
    title = page.title
    text = Self.text(page)
    links = page.links.enumerated().compactMap { index, link in
      HTTPAddress.resolved(link.reference, against: base).map {
        WebLink(number: index + 1, text: link.text, address: $0)
      }
    }
  }

  private static func text(_ page: ReadablePage) -> String {
    var marked = page
    for block in marked.blocks.indices {
      var runs = marked.blocks[block].runs
      for run in runs.indices {
        guard let link = runs[run].link else { continue }
        let isLast = run == runs.count - 1 || runs[run + 1].link != link
        if isLast { runs[run].text += "[\(link + 1)]" }
      }
      marked.blocks[block].runs = runs
    }
    return marked.plainText
  }
}

/// The user's web browser.
enum WebBrowser {
  /// Opens an address, without waiting for the browser.
  ///
  /// - Parameters:
  ///   - address: The address; only `http` and `https` are passed on.
  ///   - program: The program that opens addresses, found on the path.
  /// - Throws: ``ServiceError/noBrowser``, ``HTTPError/badAddress(_:)``.
  static func open(_ address: String, with program: String) throws {
    guard HTTPAddress.isUsable(address) else { throw HTTPError.badAddress(HTTPAddress.shown(address)) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The terminal belongs to this program: a browser that writes to it would spoil the screen.
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A separate process group: Ctrl-C is for this program.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(address), nil]
    defer { for word in arguments { free(word) } }
    var process: pid_t = 0
    let problem = withoutMemoryLimit { posix_spawnp(&process, program, &actions, &attributes, &arguments, environ) }
    guard problem == 0 else {
      throw ServiceError.noBrowser(
        "the browser '\(program)' could not be started: \(String(cString: strerror(problem)))",
        advice: "choose another with 'workbench config set molecules.browser PROGRAM'")
    }
    // A child that is not waited for stays in the process table as long as this process runs.
    let child = process
    OwnThread.run { while waitpid(child, nil, 0) < 0, errno == EINTR {} }
  }

  private static let limits = Mutex(())

  /// Calls `work` without `host.memory-limit`, which a program started meanwhile would inherit.
  private static func withoutMemoryLimit<Result>(_ work: () -> Result) -> Result {
    limits.withLock { _ in
      let memory = __rlimit_resource_t(RLIMIT_DATA.rawValue)
      var limit = rlimit()
      guard getrlimit(memory, &limit) == 0 else { return work() }
      var lifted = limit
      lifted.rlim_cur = limit.rlim_max
      setrlimit(memory, &lifted)
      defer { setrlimit(memory, &limit) }
      return work()
    }
  }
}
