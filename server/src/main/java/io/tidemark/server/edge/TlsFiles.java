package io.tidemark.server.edge;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * PEM files of the client port.
 *
 * @param certificates the server's certificate chain
 * @param key its private key: PKCS#1, PKCS#8 or SEC1
 * @param clientAuthority when given, every client must show a certificate that it signed
 */
public record TlsFiles(Path certificates, Path key, @Nullable Path clientAuthority) {}
