/// What the commands and screens of one process share: the open store, the links to sensors, what is going on.
final class Station: Sendable {
}
