import PluginAPI

/// Everything one run of the program knows.
///
/// Made once and passed down; there are no globals.
@MainActor final class HostSession {
  /// What the command line said about the run as a whole.
  let options: GlobalOptions
  /// Where files lie.
  let folders: HostFolders
  /// The event loop.
  let loop: HostEventLoop
  /// Notifications between plugins, host and controllers.
  let notifications: NotificationHub
  /// The plugins.
  let plugins: PluginHost

  init(options: GlobalOptions, environment: [String: String]) {
    self.options = options
    let home = options.home ?? environment["WORKBENCH_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    folders = HostFolders(home: home, environment: environment)
    loop = HostEventLoop()
    notifications = NotificationHub(loop: loop)
    plugins = PluginHost(folders: folders, loop: loop, notifications: notifications, isOffline: options.isOffline)
  }
}
