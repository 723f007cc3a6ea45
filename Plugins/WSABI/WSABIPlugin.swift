import PluginAPI

/// People, their biometric data, and the WS-Biometric Devices that capture it.
final class WSABIPlugin: Plugin {
  static let version = "0.1.0"
  let station: Station

  /// - Parameters:
  ///   - cameras: The cameras of the machine, unless a test simulates others.
  ///   - times: The waiting times of links.
  init(cameras: LocalCameras = LocalCameras(), times: LinkTimes = LinkTimes()) {
    station = Station(cameras: cameras, times: times)
  }

  var contributions: Contributions {
    var all = Contributions(
      plugin: PluginIdentity(
        id: "wsabi", name: "WSABI", version: Self.version,
        summary: "people and biometric captures from WS-Biometric Devices"))
    all.commands = WSABICommand.all.map(\.declaration)
    all.screens = WSABIScreens.all
    all.stores = [
      StoreDescription(
        RecordStore.storeName, "people, items, captures and the audit log, sealed; 'store init' makes its key")
    ]
    all.fileTypes = WSABIFileTypes.all
    all.textRenderers = WSABIValueType.all
    all.settings = WSABISettings.all
    all.topics = [
      TopicDescription(
        Station.recordsChanged, "a person's row changed; the payload is the person's number, 0 for anybody's, or null",
        payload: .optional(.integer)),
      TopicDescription(
        Station.sensorNoted, "something happened at a sensor; the payload names event, sensor and item",
        payload: LinkNote.payload),
      TopicDescription(Station.storeChanged, "the store changed", payload: .any),
    ]
    all.topics += WSABIScreens.topics
    all.errorCodes = WSABIErrorCodes.all + WSABIScreens.errorCodes
    return all
  }

  func makeCommand(_ name: String, _ context: any PluginContext) throws -> any Command {
    guard let command = WSABICommand.all.first(where: { $0.declaration.name == name }) else {
      throw MissingPart.command(name)
    }
    return command.bound(to: station)
  }

  @MainActor func makeController(_ request: ScreenRequest, _ context: any PluginContext) throws -> any Controller {
    try WSABIScreens.controller(request, ScreenStation(context, station))
  }

  func makeTextRenderer(_ typeName: String, _ context: any PluginContext) throws -> any TextRenderer {
    switch typeName {
    case WSABIValueType.person: PersonRenderer(typeName: typeName)
    case WSABIValueType.people: PeopleRenderer(typeName: typeName)
    case WSABIValueType.item: ItemRenderer(typeName: typeName)
    case WSABIValueType.items: ItemsRenderer(typeName: typeName)
    case WSABIValueType.enrolled: EnrolledRenderer(typeName: typeName)
    case WSABIValueType.captures: CapturesRenderer(typeName: typeName)
    case WSABIValueType.captureRun: CaptureRunRenderer(typeName: typeName)
    case WSABIValueType.sensorCheck: SensorCheckRenderer(typeName: typeName)
    case WSABIValueType.discovered: DiscoveredRenderer(typeName: typeName)
    case WSABIValueType.sensorAnswer: SensorAnswerRenderer(typeName: typeName)
    case WSABIValueType.operations: OperationsRenderer(typeName: typeName)
    case WSABIValueType.users: UsersRenderer(typeName: typeName)
    case WSABIValueType.log: LogRenderer(typeName: typeName)
    case WSABIValueType.personCheck: PersonCheckRenderer(typeName: typeName)
    case WSABIValueType.exported: ExportedRenderer(typeName: typeName)
    case WSABIValueType.imported: ImportedRenderer(typeName: typeName)
    default: throw MissingPart.textRenderer(typeName)
    }
  }

  func makeStore(_ name: String, _ context: any PluginContext) throws -> any Store {
    guard name == RecordStore.storeName else { throw MissingPart.store(name) }
    return station.madeRecords(context)
  }
}

/// Returns the plugin: the entry point of the library.
@c(workbench_plugin_entry)
public func workbenchPluginEntry() -> UnsafeMutableRawPointer {
  PluginEntry.box(WSABIPlugin())
}
