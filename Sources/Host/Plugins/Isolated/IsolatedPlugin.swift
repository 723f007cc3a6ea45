import PluginAPI
import Synchronization

/// A plugin whose library is open in a child process, as the rest of the host sees it.
final class IsolatedPlugin: Plugin {
  private let known: StoredContributions
  private let source: ProgramService.Source
  private let made = Mutex<ProgramService?>(nil)
  private let screens = IsolatedScreens()

  init(_ library: IsolatedLibrary, _ source: ProgramService.Source) {
    (known, self.source) = (library.contributions, source)
  }

  var identity: PluginIdentity { known.plugin }
  var contributions: Contributions { known.all }

  private func service(_ context: any PluginContext) -> ProgramService {
    made.withLock { made in
      if let made { return made }
      let loop = context.eventLoop
      let service = ProgramService(source, context: context) { [screens, id = source.id] change in
        screens.apply(change, of: id)
        // A turn of the loop, after which the interface draws.
        loop.post {}
      }
      made = service
      return service
    }
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let declaration = known.command(name) else { throw MissingPart.command(name) }
    return ProgramCommand(declaration: declaration, service: service(context))
  }

  func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    guard known.textRenderers.contains(typeName) else { throw MissingPart.textRenderer(typeName) }
    return ProgramRenderer(typeName: typeName, service: service(context))
  }

  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    try IsolatedStore.open(name, service: service(context))
  }

  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller {
    try IsolatedScreen(IsolatedScreenLink(request, service: service(context), screens: screens))
  }

  func runCheck(_ name: String, _ context: any PluginContext) async throws -> [Diagnostic] {
    try await service(context).runCheck(name)
  }

  /// Ends the child in order: it closes its stores.
  func end() async { await made.withLock { $0 }?.end() }
}

/// The open screens of a plugin in a child process, by their numbers there.
final class IsolatedScreens: Sendable {
  private let links = Mutex<[Int: IsolatedScreenLink]>([:])

  func add(_ link: IsolatedScreenLink, as number: Int) { links.withLock { $0[number] = link } }

  func remove(_ number: Int) { links.withLock { $0[number] = nil } }

  /// Passes a change on to the screens that it concerns.
  func apply(_ change: ProgramService.Change, of plugin: String) {
    switch change {
    case .screen(let parameters):
      let link = parameters["screen"].integer.flatMap { number in links.withLock { $0[number] } }
      link?.changed(parameters["face"])
    case .ended(let session, let end):
      for link in links.withLock({ Array($0.values) }) { link.ended(session, end, of: plugin) }
    }
  }
}
