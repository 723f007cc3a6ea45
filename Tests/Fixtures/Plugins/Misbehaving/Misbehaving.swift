import Glibc
import PluginAPI

// A plugin that misbehaves on demand: the environment variable WORKBENCH_FIXTURE names the misbehavior outside of
// commands, and each command misbehaves in its own way. Written for the tests of the host.

/// The misbehavior requested by the environment.
private var wish: String { getenv("WORKBENCH_FIXTURE").map { String(cString: $0) } ?? "" }

/// An error that only this library knows.
struct PrivateError: Error {
  var text: String
}

final class MisbehavingPlugin: Plugin {
  private static let words = [
    "greet", "throw", "report", "trap", "segfault", "abort", "block", "spin", "sleep", "offline", "finish", "key",
    "overflow-in-thread", "overflow-in-task", "exit", "raw-exit", "quick-exit", "exit-in-thread", "exit-in-child",
    "abort-in-child", "print", "flood", "ignore-signals", "hog", "nest", "nest-report", "recurse", "choose",
    "eat", "unreachable", "paint", "babble", "wait", "process",
  ]

  var contributions: Contributions {
    if wish == "trap-in-contributions" { fatalError("trapped in contributions") }
    if wish == "talk-in-contributions" { print("this is no part of the answer") }
    if wish == "exit-in-contributions" { exit(0) }
    let id = wish == "other-id" ? "elsewhere" : "misbehaving"
    var all = Contributions(
      plugin: PluginIdentity(id: id, name: "Misbehaving", version: "1.0.0", summary: "goes wrong on demand"))
    all.commands = Self.words.map { word in
      // A command that changes something over the network gets time to finish.
      let finishes = word == "finish"
      let schema: ValueSchema = word == "nest" ? .any : word == "paint" ? .picture : .text
      return CommandDescription(
        word, "goes wrong in its own way", output: .init(schema, isStream: finishes || word == "key"),
        effects: finishes ? [.writes, .network] : word == "unreachable" ? [.reads, .network] : [.reads]
      ).taking(Self.arguments(of: word))
    }
    if wish == "escape-in-choice", let index = all.commands.firstIndex(where: { $0.name == "choose" }) {
      all.commands[index].arguments = [Parameter("word", .choice(["\u{1B}[2J"]), "a word")]
    }
    if wish == "many-choices", let index = all.commands.firstIndex(where: { $0.name == "choose" }) {
      all.commands[index].arguments = [Parameter("word", .choice((0..<300_000).map { "word-\($0)" }), "a word")]
    }
    if wish == "same-command-twice" { all.commands.append(all.commands[0]) }
    all.stores = [StoreDescription("cupboard", "keeps nothing")]
    all.textRenderers = ["misbehaving.text"]
    all.screens = [ScreenDescription("main", title: "Main")]
    if wish == "talkative" { all.plugin.summary = String(repeating: "x", count: 20 << 20) }
    return all
  }

  private static func arguments(of word: String) -> [Parameter] {
    switch word {
    case "nest", "nest-report":
      [Parameter("levels", .integer(minimum: 0, maximum: 1_000_000), "how deep", isRequired: true)]
    case "choose": [Parameter("word", .choice(["$(touch touched)", "two words", "plain"]), "a word")]
    default: []
    }
  }

  @MainActor func activate(_ context: any PluginContext) throws {
    switch wish {
    case "exit-in-activate": exit(0)
    case "throw-in-activate": throw PrivateError(text: "not today")
    case "trap-in-activate": fatalError("trapped in activate")
    default: context.log(.note, "activated")
    }
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    if wish == "throw-in-make-command" { throw PrivateError(text: "no command") }
    guard let declaration = contributions.commands.first(where: { $0.name == name }) else {
      throw MissingPart.command(name)
    }
    return MisbehavingCommand(declaration: declaration)
  }

  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    throw PrivateError(text: "no store")
  }

  func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    throw PrivateError(text: "no renderer")
  }

  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller {
    if wish == "throw-in-make-controller" { throw PrivateError(text: "no screen") }
    return MisbehavingController()
  }
}

struct MisbehavingCommand: Command {
  let declaration: CommandDescription

  func run(_ call: CommandCall) async throws {
    switch declaration.name {
    case "throw": throw PrivateError(text: "thrown by the command")
    case "report":
      throw ErrorReport(code: "misbehaving.no-luck", kind: .unusableInput, "the input brings no luck")
    case "unreachable":
      throw ErrorReport(code: "misbehaving.far", kind: .network, "the server does not answer", isRetryable: true)
    case "paint":
      try await call.emit(.picture(Picture(width: 2, height: 2, pixels: [UInt8](repeating: 255, count: 16))))
    case "babble":
      if wish != "quiet" {
        // The channel of a batch child; its worker reads this before the answer.
        _ = "babble\n".withCString { write(3, $0, strlen($0)) }
        _ = try await call.compute("sleeping") { _ in usleep(300_000) }
      }
      try await call.emit(.text("the result"))
    case "wait":
      try await Gate.pass(call)
      try await call.emit(.text("\(getpid())"))
    case "process": try await call.emit(.text("\(getpid())"))
    case "trap": fatalError("trapped in a command")
    case "segfault": UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case "abort": abort()
    case "overflow-in-thread": Misdeeds.inThread { _ = Misdeeds.overflow() }
    case "overflow-in-task": await Task.detached { _ = Misdeeds.overflow() }.value
    case "exit": exit(0)
    case "raw-exit": _exit(0)
    case "quick-exit": quick_exit(0)
    case "exit-in-thread": Misdeeds.inThread { exit(0) }
    case "exit-in-child": try await call.emit(.text("the child ended with \(Misdeeds.statusOfChild { _exit(7) })"))
    case "abort-in-child": try await call.emit(.text("the child ended with \(Misdeeds.statusOfChild { abort() })"))
    case "print":
      print("printed by a plugin")
      _ = "written by a plugin".withCString { write(1, $0, strlen($0)) }
      try await call.emit(.text("the result"))
    case "flood": _ = try await call.compute("printing") { _ in while true { print("x") } }
    case "ignore-signals":
      Misdeeds.ignoreSignals()
      try await call.emit(.text("signals are ignored"))
    case "hog": Misdeeds.hog()
    case "eat": Misdeeds.eat(mebibytes: 512)
    // A signal ends a sleep early.
    case "block": await MainActor.run { while sleep(600) != 0 {} }
    case "spin": await MainActor.run { spin() }
    case "sleep": _ = try await call.compute("sleeping") { _ in sleep(600) }
    case "finish": try await finish(call)
    case "key": try await key(call)
    case "nest":
      if wish == "slow" { _ = try await call.compute("sleeping") { _ in usleep(20_000) } }
      if wish == "wait" { try await Gate.pass(call) }
      try await call.emit(nested(call))
    case "nest-report":
      throw ErrorReport(
        code: "misbehaving.no-luck", kind: .unusableInput, "the input brings no luck", details: ["all": nested(call)])
    case "recurse": try await call.emit(try await call.context.call("recurse", Record()))
    case "offline": try await call.emit(.text("\(call.context.isOffline)"))
    default: try await call.emit(.text("hello from \(call.context.pluginID)"))
    }
  }

  /// Returns nested lists, to the depth in the call.
  private func nested(_ call: CommandCall) -> Value {
    var value = Value.null
    for _ in 0..<(call["levels"].integer ?? 0) { value = .list([value]) }
    return value
  }

  /// Emits whether a key was pressed.
  private func key(_ call: CommandCall) async throws {
    try await call.emit(.text("begun"))
    try await call.emit(.text(try await call.waitForKey() ? "a key was pressed" : "nobody presses keys"))
  }

  /// Works until it is canceled, then takes long to finish, and reports the outcome.
  private func finish(_ call: CommandCall) async throws {
    try await call.emit(.text("begun"))
    // The sleep is the subject: work that only cancellation ends, which tests request after "begun".
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(600)) }
    usleep(500_000)
    try await call.emit(.text("half of it is kept"))
    throw ErrorReport(code: "misbehaving.half-done", kind: .unusableInput, "the other half is not done")
  }

  /// Blocks the loop with code of its own, without a system call.
  @inline(never) private func spin() {
    var number: UInt64 = 1
    while number != 0 { number = number &* 6_364_136_223_846_793_005 | 1 }
  }
}

/// The file that WORKBENCH_FIXTURE_GATE names, for which commands wait; without the variable they do not.
enum Gate {
  /// Notes the process in a file beside the gate, then waits until the gate exists.
  static func pass(_ call: CommandCall) async throws {
    guard let gate = getenv("WORKBENCH_FIXTURE_GATE").map({ String(cString: $0) }) else { return }
    close(open(gate + ".\(getpid())", O_WRONLY | O_CREAT, 0o644))
    _ = try await call.compute("waiting") { _ in while access(gate, F_OK) != 0 { usleep(5_000) } }
  }
}

/// Misbehavior that harms more than the plugin itself.
enum Misdeeds {
  /// Runs something on a thread of the plugin's own and waits for its end.
  static func inThread(_ work: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
      let work: @Sendable () -> Void
      init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work)).toOpaque()
    pthread_create(
      &thread, nil,
      { box in
        if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().work() }
        return nil
      }, box)
    pthread_join(thread, nil)
  }

  /// Calls itself until the stack is full.
  @inline(never) static func overflow(_ depth: Int = 0) -> Int {
    var numbers = (depth, depth, depth, depth)
    return withUnsafeMutablePointer(to: &numbers) { $0.pointee.0 < 0 ? 0 : overflow(depth + 1) + $0.pointee.1 }
  }

  /// Returns the status, or signal, with which a child process made by `fork` ends.
  static func statusOfChild(_ work: () -> Never) -> Int32 {
    // Swift does not import fork.
    let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)
    let child = fork()
    if child == 0 { work() }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
  }

  static func ignoreSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
  }

  /// Takes memory and keeps it for ten minutes.
  static func eat(mebibytes: Int) {
    // The system provides all pages; the compiler would drop writes that nothing reads.
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE
    precondition(mmap(nil, mebibytes << 20, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED)
    sleep(600)
  }

  /// Allocates memory until there is none; none of it is touched, so that the machine is not affected.
  static func hog() {
    for _ in 0..<1 << 20 { _ = UnsafeMutableRawPointer.allocate(byteCount: 16 << 20, alignment: 16) }
  }
}

/// A screen whose keys each misbehave in their own way.
final class MisbehavingController: Controller {
  private var trapsInDraw = false
  private var status = "ready to misbehave"

  var title: String { "Misbehaving" }
  var view: any View { MisbehavingView(isTrapping: trapsInDraw, status: status) }

  func handle(_ event: Event) -> [Effect]? {
    guard case .key(let key) = event else { return nil }
    switch key.typedCharacter {
    case "b": stay(seconds: 600)
    case "s": stay(seconds: 3.5)
    case "t": fatalError("trapped in handle")
    case "d": trapsInDraw = true
    case "e": exit(0)
    case "w":
      _ = "warning of a library\n".withCString { write(2, $0, strlen($0)) }
      status = "a warning was written"
    case "o": Misdeeds.inThread { _ = Misdeeds.overflow() }
    case "i":
      Misdeeds.ignoreSignals()
      status = "signals are ignored"
    default: return nil
    }
    return []
  }

  /// Blocks the loop for a time.
  private func stay(seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end { usleep(10_000) }
  }
}

struct MisbehavingView: View {
  var isTrapping: Bool
  var status: String

  func draw(into frame: inout TextFrame) {
    if isTrapping { fatalError("trapped in draw") }
    frame.put(status, x: 0, y: 0)
  }

  var outline: Outline { Outline(title: "Misbehaving") }
}

/// Returns the plugin in a box; the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  if wish == "hang-in-entry" { sleep(600) }
  if wish == "kill-parent-in-entry" {
    kill(getppid(), SIGTERM)
    sleep(600)
  }
  if wish == "hog-in-entry" { Misdeeds.hog() }
  if wish == "spin-in-entry" { while wish == "spin-in-entry" {} }
  return PluginEntry.box(MisbehavingPlugin())
}
