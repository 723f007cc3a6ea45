import Foundation
import PluginAPI
import PluginTesting
import TestSupport

@testable import OpenBIS
@testable import OpenBISSimulator

/// A user of the plugin with a simulator to work with.
final class LabUser: LabTesting {
  let server: SimulatorServer
  let plugin: TestPlugin

  /// Starts a server and a plugin without any data.
  ///
  /// - Parameters:
  ///   - server: A running server; nil to start one.
  ///   - home: The folder that contains the plugin's folders and is kept.
  init(
    _ shape: SimulatorShape = .demo, server: SimulatorServer? = nil, home: String? = nil, isOffline: Bool = false,
    _ change: (inout SimulatorConfiguration) -> Void = { _ in }
  ) async throws {
    var configuration = SimulatorConfiguration(shape: shape)
    change(&configuration)
    self.server = try server ?? SimulatorServer(configuration)
    plugin = try await TestPlugin(
      OpenBISPlugin(), resources: Checkout.root.path + "/Plugins/OpenBIS/Resources",
      isOffline: isOffline, home: home)
    plugin.answers.inputLine = "wonderland"
  }

  /// Returns a user who is logged in, with the server's call count reset.
  static func loggedIn(
    _ shape: SimulatorShape = .demo, _ options: String = "", home: String? = nil,
    _ change: (inout SimulatorConfiguration) -> Void = { _ in }
  ) async throws -> LabUser {
    let user = try await LabUser(shape, home: home, change)
    try await user.logIn(options)
    user.server.forgetCalls()
    return user
  }

  /// Returns a user with a full cache, with the server's call count reset.
  static func synced(
    _ shape: SimulatorShape = .demo, _ options: String = "", home: String? = nil,
    _ change: (inout SimulatorConfiguration) -> Void = { _ in }
  ) async throws -> LabUser {
    let user = try await loggedIn(shape, options, home: home, change)
    try await user.run("sync")
    user.server.forgetCalls()
    return user
  }

  func logIn(_ options: String = "", user: String = "alice") async throws {
    try await run("login \(server.url) --user \(user) --password-stdin \(options)")
  }
}
