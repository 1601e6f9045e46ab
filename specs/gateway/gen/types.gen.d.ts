// Written by tools/contract from specs/gateway/openapi.yaml. Do not edit: run `pnpm generate`.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the landing page
         * @description An HTML page that shows the state of the server, its traffic, the endpoints and how to call them.
         */
        get: operations["getLandingPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load a file that the landing page uses
         * @description Style sheet, script or icon of the landing page. Served while the landing page is enabled.
         */
        get: operations["getLandingAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that your key or token is valid
         * @description Returns 200 when the key or token is valid, and the 401 of every secured route when it is not.
         */
        get: operations["getAuthStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Validate a key or token
         * @description Always returns 200. The body reports whether the key or token that was sent is valid and, if not, why. An invalid one counts against the address that sent it.
         */
        get: operations["validateKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the configured endpoints
         * @description Lists the endpoints that the configuration adds to the built-in routes. Endpoints that are not served are not listed.
         */
        get: operations["listEndpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the server responds
         * @description Returns 200 and the running version as long as the server responds to requests. It checks nothing else. Use /health/ready to check that the server can serve requests. Rate limits do not apply.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is alive
         * @description For a supervisor that restarts a stuck process. The response never depends on a database, an upstream or another process. Rate limits do not apply.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the server is ready
         * @description For a load balancer that decides where to send requests. Returns 200 when the server can serve requests: `ready`, or `degraded` when a fault does not prevent it. Returns 503 when the server cannot. The body reports the state of each dependency. Rate limits do not apply.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get request metrics
         * @description Returns Prometheus text, or JSON when the Accept header prefers `application/json`. Routes are identified by path templates, never by the paths that clients sent.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call tools as an AI agent
         * @description A message of the Model Context Protocol (Streamable HTTP, revision 2026-07-28; clients of 2025 are served without sessions). `tools/list` returns the tools that the credential may call. `tools/call` runs the whole request of the operation with the same credential, and counts against its limits.
         */
        post: operations["callMcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get where tokens for /mcp are issued
         * @description The metadata of `/mcp` as a protected resource (RFC 9728), for clients without a token.
         */
        get: operations["getMcpMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how many requests your keys have made
         * @description Returns the finished requests of the owner of your key or token, by hour or day in UTC. New requests appear after `flush_seconds` of the setting `usage` at the latest. The response is CSV when the Accept header prefers `text/csv`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the developer portal
         * @description An HTML page on which developers sign in, manage their own API keys and see their limits and usage. Without a session it offers the sign-in.
         */
        get: operations["getPortal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/assets/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        /**
         * Load a file that the developer portal uses
         * @description A script or style sheet of the developer portal. Any other name returns 404.
         */
        get: operations["getPortalAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in to the developer portal
         * @description Redirects to the issuer of the setting `portal`, with the authorization code flow and PKCE (RFC 7636).
         */
        get: operations["beginPortalSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete the sign-in to the developer portal
         * @description The issuer redirects here. The response is checked against the cookie of the browser that began the sign-in.
         */
        get: operations["completePortalSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out of the developer portal
         * @description Removes the session of this browser. Requests of pages of other origins are rejected.
         */
        post: operations["endPortalSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an API key in the developer portal
         * @description Creates a key of the signed-in developer, with a plan and scopes that the setting `portal` allows. The page shows the key, once.
         */
        post: operations["createPortalKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/keys/{key}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of one of your keys.
                 * @example 3fa9c1d2e4b7.laptop
                 */
                key: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key in the developer portal
         * @description Creates a successor of a key of the signed-in developer. The page shows the new key, once. The old key stays valid during the overlap.
         */
        post: operations["rotatePortalKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal/keys/{key}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of one of your keys.
                 * @example 3fa9c1d2e4b7.laptop
                 */
                key: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key in the developer portal
         * @description Revokes a key of the signed-in developer at once.
         */
        post: operations["revokePortalKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI document
         * @description Returns the contract of this server as one document without external references. It lists exactly the operations that are served.
         */
        get: operations["getOpenapiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the documentation in Swagger UI
         * @description An HTML page that shows the OpenAPI document of this server in Swagger UI. It loads nothing from other origins.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        /**
         * Load a file that the Swagger UI page uses
         * @description A script or style sheet of the Swagger UI page, from this server's own copy. Any other name returns 404.
         */
        get: operations["getDocsAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redoc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the documentation in ReDoc
         * @description An HTML page that shows the OpenAPI document of this server in ReDoc. It loads nothing from other origins.
         */
        get: operations["getRedoc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redoc/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        /**
         * Load a file that the ReDoc page uses
         * @description A script or style sheet of the ReDoc page, from this server's own copy. Any other name returns 404.
         */
        get: operations["getRedocAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The file settings.json. Every field is optional. The environment variable `ROSTERGATE_<FIELD>` sets the same field.
         * @example {
         *       "enabled_routers": [
         *         "health",
         *         "metrics",
         *         "auth",
         *         "endpoints"
         *       ],
         *       "rate_limit_per_minute": 60,
         *       "rate_limit_per_minute_authenticated": 300
         *     }
         */
        Settings: {
            /**
             * @description Address to listen on. `0.0.0.0` or `::` listens on all addresses.
             * @default 127.0.0.1
             * @example 0.0.0.0
             */
            host?: string;
            /**
             * @description Port to listen on. 0 selects a free port.
             * @default 8000
             * @example 9000
             */
            port?: number;
            /**
             * @description Number of worker processes that share the port. Limits, metrics and reloads are the same across them.
             * @default 1
             * @example 4
             */
            workers?: number;
            /**
             * @description IP addresses and networks (such as `10.0.0.0/8`) of trusted reverse proxies. Forwarded headers from all other addresses are ignored.
             * @default []
             * @example [
             *       "10.0.0.0/8"
             *     ]
             */
            trusted_proxies?: string[];
            /**
             * @description Path of the certificate chain (PEM) for HTTPS. A renewed file is loaded without a restart.
             * @default
             * @example /etc/ssl/gateway/fullchain.pem
             */
            tls_certificate_file?: string;
            /**
             * @description Path of the private key (PEM) of the certificate.
             * @default
             * @example /etc/ssl/gateway/key.pem
             */
            tls_key_file?: string;
            /**
             * @description Keys that are valid on every secured endpoint. Either a comma-separated list, or the path of a file with one key per line (`#` starts a comment), relative to the folder of settings.json or, without such a file there, to the working directory. An entry is the key itself, or `sha256:` and its digest in hexadecimal. Without any keys, every key is invalid.
             * @default
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            api_keys?: string;
            /**
             * @description Path of the file that `rostergate keys` writes, relative to the folder of settings.json. Its keys are valid in addition to `api_keys`.
             * @default keys.json
             * @example /run/secrets/keys.json
             */
            keys_file?: string;
            /**
             * @description URL of the PostgreSQL database or the Redis server that stores the keys of several gateways, as digests. A change is in force on every gateway within 2 seconds. Keys of `api_keys` and `keys_file` are valid in addition. Without a URL, `rostergate keys` writes `keys_file`. Requires a restart.
             * @default
             * @example postgres://rostergate:password@postgres.example:5432/keys
             */
            key_store_url?: string;
            /**
             * @description Time for which the last known keys stay valid while the key store is unreachable, in seconds. After that, their requests are rejected with 503.
             * @default 300
             * @example 60
             */
            key_store_stale_seconds_max?: number;
            /**
             * @description Port of the admin API, for keys with the scope `admin`. It serves nothing else, and no other port serves it. 0 serves none. Requires a restart.
             * @default 0
             * @example 9001
             */
            admin_port?: number;
            /**
             * @description Address of the admin API. Requires a restart.
             * @default 127.0.0.1
             * @example 10.0.0.5
             */
            admin_host?: string;
            /**
             * @description Issuers of access tokens (JWT). An endpoint accepts the tokens of an issuer when its `auth` contains `jwt:` and the name of the issuer.
             * @default []
             * @example [
             *       {
             *         "name": "corp",
             *         "issuer": "https://id.example.com",
             *         "audiences": [
             *           "https://api.example.com"
             *         ]
             *       }
             *     ]
             */
            jwt_issuers?: components["schemas"]["JwtIssuer"][];
            mcp?: components["schemas"]["Mcp"];
            usage?: components["schemas"]["UsageSettings"];
            /**
             * @description URL of the PostgreSQL database that stores the counts of `usage`, so that several machines share them. Without a URL, they are stored in the file that `usage.file` names.
             * @default
             * @example postgres://user:password@db.example:5432/rostergate
             */
            usage_store_url?: string;
            portal?: components["schemas"]["Portal"];
            /**
             * @description Secret of the client of `portal` at the issuer, at least 24 characters. Set it from the environment, with the same value on each gateway: sessions of the portal are encrypted with a key derived from it.
             * @default
             * @example 8wVfZ1qTq3mWc0hJ7uYbS2nE
             */
            portal_client_secret?: string;
            /**
             * @description Serve the landing page at `/`.
             * @default true
             */
            enable_landing_page?: boolean;
            /**
             * @description Serve Swagger UI at `/docs`.
             * @default true
             */
            enable_docs?: boolean;
            /**
             * @description Serve ReDoc at `/redoc`.
             * @default true
             */
            enable_redoc?: boolean;
            /**
             * @description Serve the contract at `/openapi.json`. When this is false, `/docs` and `/redoc` are off as well.
             * @default true
             */
            enable_openapi?: boolean;
            /**
             * @description Groups of built-in routes to serve. Routes of other groups return 404.
             * @default [
             *       "health",
             *       "metrics",
             *       "auth",
             *       "endpoints"
             *     ]
             */
            enabled_routers?: ("health" | "metrics" | "auth" | "endpoints")[];
            /**
             * @description Whether `/metrics` requires a valid key. A token of `jwt_issuers` is none.
             * @default false
             */
            metrics_requires_auth?: boolean;
            /**
             * @description Count requests and reject those over the limit. `false` also removes the limit headers.
             * @default true
             */
            rate_limit_enabled?: boolean;
            /**
             * @description Maximum requests in any 60 seconds per address without a key.
             * @default 60
             * @example 120
             */
            rate_limit_per_minute?: number;
            /**
             * @description Maximum requests in any 60 seconds per owner of a valid key.
             * @default 300
             * @example 600
             */
            rate_limit_per_minute_authenticated?: number;
            /**
             * @description Named sets of limits. A key with a `plan` has its limits instead of `rate_limit_per_minute_authenticated`, over all keys of its owner.
             * @default {}
             * @example {
             *       "gold": {
             *         "limits": [
             *           {
             *             "requests": 20,
             *             "per": "second"
             *           },
             *           {
             *             "requests": 50000,
             *             "per": "day"
             *           }
             *         ],
             *         "quota": {
             *           "requests": 1000000,
             *           "per": "month"
             *         }
             *       }
             *     }
             */
            plans?: {
                [key: string]: components["schemas"]["Plan"];
            };
            /**
             * @description The plan of keys and tokens without one. Empty for `rate_limit_per_minute_authenticated`.
             * @default
             * @example free
             */
            default_plan?: string;
            /**
             * @description The plan of each address without a key. Empty for `rate_limit_per_minute`.
             * @default
             * @example trial
             */
            anonymous_plan?: string;
            /**
             * @description URL of the Redis server that stores the request counts, so that several machines share one count. Several hosts with `redis-cluster://` are nodes of a cluster, with `redis-sentinel://` and `?master=` sentinels. Without a URL, each machine counts separately.
             * @default
             * @example rediss://:password@redis.example:6379
             */
            redis_url?: string;
            /**
             * @description Prefix of the key names in Redis.
             * @default rostergate:
             * @example team-a:
             */
            redis_prefix?: string;
            /**
             * @description Behaviour while Redis is unreachable: count in this process (`local`), allow every request (`open`), or reject every request with 503 (`closed`).
             * @default local
             * @enum {string}
             */
            rate_limit_on_store_failure?: "local" | "open" | "closed";
            /**
             * @description Origins that may call this server from a browser, such as `https://app.example`, or `*` for any origin.
             * @default []
             * @example [
             *       "https://app.example"
             *     ]
             */
            cors_origins?: string[];
            /**
             * @description Whether these origins may send cookies and other browser credentials. Not allowed with `*`.
             * @default false
             */
            cors_credentials?: boolean;
            /**
             * @description Time that a browser may cache the response to a preflight, in seconds.
             * @default 600
             * @example 3600
             */
            cors_max_age_seconds?: number;
            /**
             * @description Compress responses above 1 KiB with br or gzip for clients that accept it.
             * @default true
             */
            enable_compression?: boolean;
            /**
             * @description Maximum size of a request body, in bytes. A larger body is rejected with 413.
             * @default 10485760
             * @example 1048576
             */
            body_bytes_max?: number;
            /**
             * @description Maximum time to receive the request headers, in milliseconds.
             * @default 10000
             * @example 5000
             */
            headers_timeout_ms?: number;
            /**
             * @description Maximum time to receive a whole request, in milliseconds. 0 means no limit.
             * @default 60000
             * @example 30000
             */
            request_timeout_ms?: number;
            /**
             * @description Timeout for the response of a service, in milliseconds. After it, the client receives 503. 0 means no limit. The timeout of the service `http` is set per endpoint.
             * @default 30000
             * @example 5000
             */
            service_timeout_ms?: number;
            /**
             * @description Time until an idle connection is closed, in milliseconds.
             * @default 65000
             * @example 75000
             */
            keep_alive_timeout_ms?: number;
            /**
             * @description Maximum time for requests in flight to complete after SIGTERM or SIGINT, in milliseconds.
             * @default 5000
             * @example 30000
             */
            drain_ms?: number;
            /**
             * @description Lowest level that is logged.
             * @default info
             * @enum {string}
             */
            log_level?: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
            /**
             * @description Log one of every N requests with a status below 400. Errors are always logged.
             * @default 1
             * @example 100
             */
            log_sample_every?: number;
            /**
             * @description Reload the configuration files when they change. SIGHUP reloads them in any case.
             * @default true
             */
            reload_enabled?: boolean;
            /**
             * @description Path of the file that lists the endpoints, relative to the folder of settings.json.
             * @default endpoints.json
             * @example orders.json
             */
            endpoints_file?: string;
            /**
             * @description Path of the folder with your own services, relative to the folder of settings.json.
             * @default services
             * @example /srv/services
             */
            services_dir?: string;
            /**
             * @description URL of the ticker list that the service `crypto` reads.
             * @default https://api.coinlore.net/api/tickers/
             */
            crypto_upstream_url?: string;
        };
        /**
         * @description The file endpoints.json. Each enabled entry becomes a route of the gateway and a path of its contract.
         * @example {
         *       "endpoints": [
         *         {
         *           "path": "/api/crypto",
         *           "method": "GET",
         *           "service": "crypto",
         *           "summary": "Price of a cryptocurrency",
         *           "tags": [
         *             "crypto"
         *           ],
         *           "policies": [
         *             "office"
         *           ]
         *         }
         *       ],
         *       "policies": {
         *         "office": {
         *           "type": "addresses",
         *           "allow": [
         *             "10.0.0.0/8",
         *             "127.0.0.1"
         *           ]
         *         }
         *       }
         *     }
         */
        EndpointsFile: {
            /**
             * @description The endpoints, in the order in which they are listed.
             * @default []
             */
            endpoints?: components["schemas"]["EndpointDefinition"][];
            /**
             * @description Policies by name, for the `policies` of endpoints.
             * @default {}
             */
            policies?: {
                [key: string]: components["schemas"]["Policy"];
            };
            /**
             * @description Names of the policies of every endpoint. They run before the endpoint's own.
             * @default []
             */
            policies_for_all?: string[];
        };
        /** @description The file keys.json, which `rostergate keys` writes. It must be readable by its owner only (mode 600). */
        KeysFile: {
            /** @description The keys, in the order of their creation. */
            keys: components["schemas"]["KeyEntry"][];
        };
        /** @description One fault of a request, with its location - a member of the body, a parameter, a header, or a cookie. */
        ProblemFault: {
            /**
             * @description JSON Pointer (RFC 6901) to the invalid member of the body. Empty for the whole body.
             * @example /StaffId
             */
            pointer?: string;
            /**
             * @description Name of the invalid query or path parameter.
             * @example $filter
             */
            parameter?: string;
            /**
             * @description Name of the invalid header.
             * @example Content-Type
             */
            header?: string;
            /**
             * @description Name of the invalid cookie.
             * @example session
             */
            cookie?: string;
            /**
             * @description Explanation of the fault.
             * @example must have required property 'StaffId'
             */
            detail: string;
        };
        /** @description An error (RFC 9457, application/problem+json). `code` identifies the exact cause and `kind` its family. Both are stable and meant for programs. `title` and `detail` are meant for people. Further members may be added. */
        Problem: {
            /**
             * Format: uri-reference
             * @description Identifier of the problem type: `urn:rostergate:problem:` and `code`, or the URI that IANA registers for it.
             * @example urn:rostergate:problem:validation_failed
             */
            type: string;
            /**
             * @description Short summary of the problem type. The same for every occurrence.
             * @example Request validation failed
             */
            title: string;
            /**
             * @description HTTP status code of the response.
             * @example 400
             */
            status: number;
            /**
             * @description Explanation of this occurrence, with what to do next.
             * @example Correct the parts that errors lists and send the request again.
             */
            detail: string;
            /**
             * Format: uri-reference
             * @description Path of the request, without its query.
             * @example /v2/staffmember
             */
            instance?: string;
            /**
             * @description Exact cause of the problem.
             * @example validation_failed
             */
            code: string;
            /**
             * @description Family of the cause: `ValidationError` (400), `AuthenticationError` (401), `AuthorizationError` (403), `NotFoundError` (404), and one for each of the other statuses.
             * @example ValidationError
             */
            kind: string;
            /**
             * @description Value of the `X-Request-Id` response header. Include it in support requests.
             * @example 01JD7Q2Z9V4M8T6C3K5N0R1WXY
             */
            request_id: string;
            /** @description All faults in the request, each with its location. */
            errors?: components["schemas"]["ProblemFault"][];
        };
        /** @description Confirms that the key or token is valid. */
        AuthStatus: {
            /**
             * Format: date-time
             * @description Time of the response, in UTC.
             */
            timestamp: string;
            /**
             * @description Always true. A missing or invalid credential is rejected with 401.
             * @enum {boolean}
             */
            authenticated: true;
            /** @description The result as text. */
            message: string;
            /** @description Name of the key, or owner of the token. The key or token is never returned. */
            name?: string;
            /** @description Scopes of the key or token. */
            scopes?: string[];
            /** @description Plan of the key, which sets its limits. Absent for a key without one. */
            plan?: string;
        };
        /** @description Result of the check of the key or token that was sent, or of its absence. */
        KeyVerdict: {
            /**
             * Format: date-time
             * @description Time of the response, in UTC.
             */
            timestamp: string;
            /** @description Whether a secured route accepts the key or token. */
            valid: boolean;
            /**
             * @description Result as a code. All codes but `key_valid` and `token_valid` are also codes of the 401 of a secured route.
             * @enum {string}
             */
            code: "key_valid" | "key_missing" | "key_invalid" | "key_expired" | "key_revoked" | "key_repeated" | "token_valid" | "token_invalid" | "token_expired";
            /** @description Result as text, with what to do next. */
            message: string;
            /** @description Name of the key, or owner of the token. Present only for a valid one. The key or token is never returned. */
            name?: string;
            /** @description Owner of the key or token. Requests are counted per owner. Present only for a valid one. */
            owner?: string;
            /** @description Scopes of the key or token. Present only for a valid one. */
            scopes?: string[];
            /** @description Plan of the key, which sets its limits. Present only for a valid key with a plan. */
            plan?: string;
        };
        /**
         * @description One served endpoint.
         * @example {
         *       "path": "/api/crypto",
         *       "method": "GET",
         *       "service": "crypto",
         *       "enabled": true,
         *       "requires_auth": false,
         *       "auth": [],
         *       "scopes": [],
         *       "rate_limit_per_minute": null,
         *       "policies": [],
         *       "description": "Price, market capitalisation and supply of a cryptocurrency.",
         *       "tags": [
         *         "crypto"
         *       ],
         *       "summary": "Price of a cryptocurrency"
         *     }
         */
        Endpoint: {
            /** @description Path from the root of the server. */
            path: string;
            /**
             * @description The HTTP method.
             * @enum {string}
             */
            method: "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
            /** @description Name of the service behind the endpoint. */
            service: string;
            /**
             * @description Always true. Disabled endpoints are not listed.
             * @enum {boolean}
             */
            enabled: true;
            /** @description Whether the endpoint requires a valid key or token. */
            requires_auth: boolean;
            /** @description Credentials that the endpoint accepts: `key` for an API key, `jwt:<name>` for a token of an issuer. Empty for a public endpoint. */
            auth: string[];
            /** @description Scopes that the endpoint requires. The key or token needs all of them. */
            scopes?: string[];
            /** @description Requests per 60 seconds to this endpoint, in addition to the limit of the server. Null when the endpoint has no limit of its own. */
            rate_limit_per_minute?: number | null;
            /** @description Names of the policies of the endpoint, in the order in which they run. */
            policies?: string[];
            /** @description What the endpoint does. */
            description: string;
            /** @description Tags that group the endpoint in the documentation. */
            tags: string[];
            /** @description Short title for lists. */
            summary: string;
            /** @description Optional parts of the endpoint's upstream, such as `health`. Absent when it has none. */
            upstream?: string[];
        };
        /**
         * @description A named set of limits. A request must pass all of them, and counts in all or none.
         * @example {
         *       "limits": [
         *         {
         *           "requests": 20,
         *           "per": "second"
         *         },
         *         {
         *           "requests": 50000,
         *           "per": "day"
         *         }
         *       ],
         *       "quota": {
         *         "requests": 1000000,
         *         "per": "month"
         *       }
         *     }
         */
        Plan: {
            /** @description Limits that slide, each in any interval of its length. At most one for each length. */
            limits?: {
                /** @description Maximum requests. Up to 10,000, each request leaves exactly when its interval has passed; above that, up to a thousandth of the interval later. */
                requests: number;
                /**
                 * @description Length of the interval. A day is any 24 hours.
                 * @enum {string}
                 */
                per: "second" | "minute" | "hour" | "day";
            }[];
            /** @description A limit for each day or month of the calendar. Periods begin at 00:00 UTC. */
            quota?: {
                /** @description Maximum requests. */
                requests: number;
                /**
                 * @description Period of the calendar.
                 * @enum {string}
                 */
                per: "day" | "month";
            };
        };
        /** @description The served endpoints and the available services. */
        EndpointList: {
            /** @description Endpoints in the order of the configuration. */
            endpoints: components["schemas"]["Endpoint"][];
            /** @description Names of the services that endpoints can use, sorted. */
            services: string[];
            /** @description The plans that keys can have. Absent when there are none. */
            plans?: {
                [key: string]: components["schemas"]["Plan"];
            };
            /** @description Number of endpoints served. */
            total: number;
        };
        /** @description The server responds to requests. */
        Health: {
            /** @enum {string} */
            status: "healthy";
            /**
             * Format: date-time
             * @description Time of the response, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
        };
        /** @description The process is alive. The response depends on nothing outside the process. */
        Liveness: {
            /** @enum {string} */
            status: "alive";
            /**
             * Format: date-time
             * @description Time of the response, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
        };
        /** @description State of one dependency. Other members depend on the dependency, such as a count or the reason of a failure. */
        ReadinessDependency: {
            /** @enum {string} */
            status: "ready" | "degraded" | "unavailable";
        } & {
            [key: string]: unknown;
        };
        /** @description Readiness of the server, with the state of each dependency. */
        Readiness: {
            /**
             * @description `ready` and `degraded` (a fault that does not stop the server) are sent with 200, `unavailable` with 503.
             * @enum {string}
             */
            status: "ready" | "degraded" | "unavailable";
            /**
             * Format: date-time
             * @description Time of the response, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
            /** @description Seconds since the process started. */
            uptime_seconds: number;
            /** @description State of each dependency, by name. */
            dependencies: {
                [key: string]: components["schemas"]["ReadinessDependency"];
            };
        };
        /** @description Metrics of one route since the process started. */
        EndpointMetrics: {
            /** @description Requests to the route. */
            count: number;
            /** @description Mean time from the arrival of a request to the end of its response, in seconds. */
            average_time: number;
            /** @description Requests with a status of 400 or above. */
            error_count: number;
            error_rate: number;
            /** @description Number of responses by status code. */
            status_codes: {
                [key: string]: number;
            };
        };
        /** @description Metrics since the process started. */
        Metrics: {
            /** @description Seconds since the process started. */
            uptime_seconds: number;
            total_requests: number;
            /** @description Requests with a status of 400 or above. */
            total_errors: number;
            /** @description total_errors divided by total_requests. 0 without requests. */
            error_rate: number;
            /** @description Sum of the durations of all requests, in seconds. */
            total_time: number;
            /** @description Cumulative histogram of request durations. The bounds ascend. Requests above the last bound count in total_requests only. */
            duration_buckets: {
                /** @description Upper bound in seconds, inclusive. */
                le: number;
                /** @description Requests with a duration of at most `le`. */
                count: number;
            }[];
            /** @description Metrics of each route, by method and path template, such as `GET /health`. */
            endpoints: {
                [key: string]: components["schemas"]["EndpointMetrics"];
            };
        };
        /**
         * @description A request or notification of JSON-RPC 2.0.
         * @example {
         *       "jsonrpc": "2.0",
         *       "id": 1,
         *       "method": "tools/list"
         *     }
         */
        JsonRpcMessage: {
            /** @enum {string} */
            jsonrpc: "2.0";
            /** @description Absent in a notification, which has no response. */
            id?: string | number;
            method: string;
            params?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description A response of JSON-RPC 2.0, with a result or an error.
         * @example {
         *       "jsonrpc": "2.0",
         *       "id": 1,
         *       "result": {
         *         "tools": []
         *       }
         *     }
         */
        JsonRpcResponse: {
            /** @enum {string} */
            jsonrpc: "2.0";
        } & {
            [key: string]: unknown;
        };
        /** @description The metadata of a protected resource (RFC 9728). */
        ResourceMetadata: {
            /** @description The URL that the claim `aud` of a token must contain. */
            resource: string;
            /** @description The issuers of tokens. */
            authorization_servers: string[];
            /** @description Where the token is sent. */
            bearer_methods_supported: "header"[];
        };
        /**
         * @description The number of requests in an hour or a day, with the parts that `by` names.
         * @example {
         *       "time": "2026-01-01T12:00:00Z",
         *       "key": "3f79bb7b",
         *       "operation": "getApiPrice",
         *       "status": "2xx",
         *       "requests": 120
         *     }
         */
        UsageCount: {
            /**
             * Format: date-time
             * @description Start of the hour or day, in UTC.
             */
            time: string;
            /** @description Name of the key. */
            key?: string;
            /** @description The operationId, as in `/openapi.json`; `unmatched` for requests that match no route. */
            operation?: string;
            /**
             * @description Class of the status. 429, a request over a limit, is counted apart from the other 4xx.
             * @enum {string}
             */
            status?: "1xx" | "2xx" | "3xx" | "4xx" | "429" | "5xx";
            /**
             * Format: int64
             * @description The number of requests.
             */
            requests: number;
        };
        /** @description Finished requests of the owner of the credential. */
        Usage: {
            /** @description The owner of the key, or `<issuer>:<claim>` of a token. */
            owner: string;
            /**
             * Format: date-time
             * @description Start of the range, at a full hour in UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the range, at a full hour in UTC. It is not part of the range.
             */
            to: string;
            /** @enum {string} */
            interval: "hour" | "day";
            /**
             * Format: int64
             * @description Requests in the range.
             */
            total_requests: number;
            /** @description The counts above 0, oldest first. */
            usage: components["schemas"]["UsageCount"][];
        };
        /**
         * @description A key that a developer creates in the portal.
         * @example {
         *       "name": "laptop",
         *       "plan": "free",
         *       "scopes": [
         *         "reports"
         *       ]
         *     }
         */
        PortalKeyRequest: {
            /** @description Name of the key for its developer. */
            name: string;
            /** @description One of the plans that the portal offers. Keys of one developer have the same plan. */
            plan?: string;
            /** @description Scopes that the portal offers. */
            scopes?: string[];
        };
        /**
         * @description How a key is replaced.
         * @example {
         *       "overlap_hours": 24
         *     }
         */
        PortalRotationRequest: {
            /**
             * @description How long the old key stays valid, in hours.
             * @default 24
             */
            overlap_hours?: number;
        };
        /** @description An OpenAPI document. The OpenAPI specification defines its other members. */
        OpenapiDocument: {
            openapi: string;
            info: {
                [key: string]: unknown;
            };
            paths: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @description An issuer of access tokens (JWT, RFC 9068) that endpoints accept.
         * @example {
         *       "name": "corp",
         *       "issuer": "https://id.example.com",
         *       "audiences": [
         *         "https://api.example.com"
         *       ]
         *     }
         */
        JwtIssuer: {
            /** @description Name of the issuer in `auth` of an endpoint, as `jwt:<name>`, in logs and in metrics. It begins the owner of its callers. */
            name: string;
            /** @description URL of the issuer, exactly as in the claim `iss` of its tokens. It must begin with https:// unless it is on this machine. */
            issuer: string;
            /** @description Accepted audiences. A token whose claim `aud` contains none of them is rejected. */
            audiences: string[];
            /** @description URL of the public keys of the issuer (a JWK set, RFC 7517). By default it is discovered from `/.well-known/openid-configuration` or `/.well-known/oauth-authorization-server` of the issuer. */
            jwks_url?: string | null;
            /**
             * @description Accepted signature algorithms. All are asymmetric.
             * @default [
             *       "RS256",
             *       "ES256"
             *     ]
             */
            algorithms?: ("RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA" | "Ed25519")[];
            /**
             * @description Accepted values of the header parameter `typ`. `JWT` also accepts a token without `typ`; add it only for an issuer whose access tokens have no type of their own, since ID tokens have the type `JWT` too.
             * @default [
             *       "at+jwt"
             *     ]
             */
            token_types?: string[];
            /**
             * @description Claim that identifies the caller. Requests are counted per owner, `<name>:<claim>`.
             * @default sub
             */
            owner_claim?: string;
            /**
             * @description Claim with the scopes of the caller, as a list or as text with spaces between them. Values that are no scopes are ignored.
             * @default scope
             */
            scopes_claim?: string;
            /**
             * @description Claim with the name of the caller's plan. A caller without the claim has `default_plan`; one whose plan does not exist is rejected with 403. Empty for `default_plan` in any case.
             * @default
             */
            plan_claim?: string;
            /**
             * @description Maximum difference between the clocks of the issuer and of this server, in seconds.
             * @default 5
             */
            clock_tolerance_seconds?: number;
            /**
             * @description Age at which the public keys are fetched again, in seconds. A key that the issuer withdraws is rejected after this time. A new key is fetched when a token names it, at most once in 30 seconds.
             * @default 300
             */
            keys_refresh_seconds?: number;
            /**
             * @description Maximum age of the public keys while the issuer is unreachable, in seconds. After it, tokens of the issuer get 503.
             * @default 86400
             */
            keys_stale_seconds_max?: number;
        };
        /**
         * @description An operation that AI agents can call as a tool.
         * @example {
         *       "operation_id": "getApiPrice",
         *       "name": "price"
         *     }
         */
        McpTool: {
            /** @description The operationId of an endpoint or built-in operation, as in `/openapi.json`. */
            operation_id: string;
            /** @description Name of the tool. Defaults to the operationId. */
            name?: string | null;
            /** @description What the tool does and when to use it, for the model. Defaults to the summary and description of the operation. */
            description?: string | null;
            /** @description Whether a call changes nothing, which clients may use to ask the user less often. Defaults to true for GET. */
            read_only?: boolean | null;
        };
        /**
         * @description Operations that AI agents can call as tools at `/mcp`, by the Model Context Protocol.
         * @example {
         *       "auth": [
         *         "key"
         *       ],
         *       "tools": [
         *         {
         *           "operation_id": "getApiPrice",
         *           "name": "price"
         *         }
         *       ]
         *     }
         */
        Mcp: {
            /** @description The operations. A caller sees those that its key or token may call. */
            tools: components["schemas"]["McpTool"][];
            /**
             * @description Credentials that `/mcp` accepts, one of which is required. `key` is an API key, also one of an endpoint, `jwt:<name>` an access token of an issuer in `jwt_issuers` that is meant for `resource`. Empty for callers without a credential, too.
             * @default []
             */
            auth?: string[];
            /**
             * @description Public URL of `/mcp`, for clients that get tokens of an issuer. Required when `auth` contains an issuer, whose `audiences` must contain it.
             * @default
             * @example https://api.example.com/mcp
             */
            resource?: string;
            /**
             * @description Origins of pages that may call `/mcp`; `*` for any. They replace `cors_origins` there. Requests from other pages are rejected with 403. Programs send no origin.
             * @default []
             */
            origins?: string[];
            /**
             * @description Maximum time of a call, in milliseconds.
             * @default 60000
             */
            timeout_ms?: number;
            /**
             * @description Maximum length of a response that a tool returns, in bytes. A longer one is reported as an error.
             * @default 262144
             */
            result_bytes_max?: number;
        };
        /**
         * @description Store how many requests each key has made, per hour, operation and class of status. Callers read the counts of their owner at `/usage`, operators those of all with `rostergate usage`. Paths, addresses and bodies are not stored.
         * @example {
         *       "flush_seconds": 10,
         *       "keep_days": 400
         *     }
         */
        UsageSettings: {
            /**
             * @description Path of the SQLite file, which is created when missing, relative to the folder of settings.json. Not used with `usage_store_url`.
             * @default usage.sqlite
             * @example /var/lib/rostergate/usage.sqlite
             */
            file?: string;
            /**
             * @description Time between two writes to the store, in seconds. A process that is killed loses the counts of one such time at most.
             * @default 10
             */
            flush_seconds?: number;
            /**
             * @description Age at which the counts of an hour are removed, in days.
             * @default 400
             */
            keep_days?: number;
        };
        /**
         * @description The developer portal at `/portal`. Developers sign in with an OpenID Connect issuer and manage their own keys within these bounds. Requires `portal_client_secret`.
         * @example {
         *       "issuer": "corp",
         *       "client_id": "rostergate",
         *       "base_url": "https://api.example.com",
         *       "plans": [
         *         "free"
         *       ],
         *       "scopes": [
         *         "reports"
         *       ]
         *     }
         */
        Portal: {
            /** @description Name of the issuer in `jwt_issuers` at which developers sign in. The owner of their keys is `<name>:<claim>`, with the `owner_claim` of the issuer. */
            issuer: string;
            /** @description Name of the gateway at the issuer. */
            client_id: string;
            /**
             * @description How `client_id` and `portal_client_secret` are sent to the issuer, by HTTP Basic or in the body (RFC 6749 section 2.3.1).
             * @default basic
             * @enum {string}
             */
            client_authentication?: "basic" | "post";
            /** @description Public address of the gateway, without a path. Register `<base_url>/portal/callback` as redirect URI at the issuer. It must begin with https:// unless it is on this machine. */
            base_url: string;
            /**
             * @description Plans that a developer may choose for the first key. Later keys have the same. Empty for `default_plan`.
             * @default []
             */
            plans?: string[];
            /**
             * @description Scopes that a developer may give to a key.
             * @default []
             */
            scopes?: string[];
            /**
             * @description Maximum number of valid keys of a developer. Rotations may exceed it up to twice during their overlap. Within 24 hours a developer can create ten times as many.
             * @default 5
             */
            keys_max?: number;
        };
        /**
         * @description Takes the argument from a request parameter.
         * @example {
         *       "source": "path",
         *       "key": "coin"
         *     }
         */
        ParameterSource: {
            /**
             * @description Location of the parameter in the request.
             * @enum {string}
             */
            source: "query" | "path" | "header" | "cookie";
            /** @description Name of the parameter. The case of a header's name does not matter. */
            key: string;
        };
        /**
         * @description Source of an argument of the service. An object with `source` takes the argument from a parameter of the request. Any other value is passed as it is.
         * @example {
         *       "source": "query",
         *       "key": "coin"
         *     }
         */
        EndpointParameter: components["schemas"]["ParameterSource"] | string | number | boolean | unknown[] | {
            [key: string]: unknown;
        };
        /**
         * @description An upstream server and its share of the requests.
         * @example {
         *       "url": "https://a.example:8443",
         *       "weight": 3
         *     }
         */
        UpstreamTarget: {
            /** @description Base URL of the server, as in a target without a weight. */
            url: string;
            /**
             * @description Share of the requests. A target of weight 3 receives three times as many as one of weight 1 while both are equally busy.
             * @default 1
             */
            weight?: number;
        };
        /**
         * @description Regular GET requests to each target, which take one that fails out of the balancing before clients meet the failure. While every target fails its checks, requests are sent to all of them.
         * @example {
         *       "path": "/up",
         *       "interval_ms": 5000,
         *       "unhealthy_after": 3,
         *       "healthy_after": 2
         *     }
         */
        UpstreamHealth: {
            /** @description Path of the check below the target, without a query. A status from 200 to 399 is healthy; any other response, and none by the timeout, is not. */
            path: string;
            /**
             * @description Time between two checks of a target, varied by a tenth, in milliseconds.
             * @default 5000
             */
            interval_ms?: number;
            /**
             * @description Timeout of a check, its connection included, in milliseconds.
             * @default 1000
             */
            timeout_ms?: number;
            /**
             * @description Number of failed checks in a row after which a target receives no more requests.
             * @default 3
             */
            unhealthy_after?: number;
            /**
             * @description Number of successful checks in a row after which it receives requests again.
             * @default 2
             */
            healthy_after?: number;
        };
        /**
         * @description When the circuit to a target opens. While it is open, requests that would use the target are rejected with 503, or sent to another target.
         * @example {
         *       "requests_min": 10,
         *       "failure_percent": 80
         *     }
         */
        UpstreamBreaker: {
            /**
             * @description Number of recent requests that count.
             * @default 20
             */
            window?: number;
            /**
             * @description Number of requests below which the circuit stays closed. At most `window`.
             * @default 5
             */
            requests_min?: number;
            /**
             * @description The circuit opens when more than this share of them has failed.
             * @default 50
             */
            failure_percent?: number;
            /**
             * @description How long it stays open until one request is tried, in milliseconds. The time doubles after each failure up to `open_ms_max`. It is a quarter where no connection could be made.
             * @default 1000
             */
            open_ms?: number;
            /**
             * @description Maximum time that the circuit stays open, in milliseconds. At least `open_ms`.
             * @default 30000
             */
            open_ms_max?: number;
        };
        /**
         * @description Makes the endpoint accept WebSockets only, and forwards each to the upstream. The handshake is checked like any other request.
         * @example {
         *       "origins": [
         *         "https://app.example"
         *       ]
         *     }
         */
        EndpointWebSocket: {
            /**
             * @description Origins of pages that may connect, such as `https://app.example`, or `*` for any page. By default, browsers cannot connect; clients that send no Origin header can.
             * @default []
             */
            origins?: string[];
            /**
             * @description Maximum open WebSockets of the endpoint in each process. More are rejected with 503.
             * @default 1000
             */
            connections_max?: number;
            /**
             * @description Time without data in either direction after which a WebSocket is closed with 1001, in milliseconds; 0 disables the limit. Pings of the client or the upstream count as data.
             * @default 60000
             */
            idle_ms?: number;
        };
        /**
         * @description TLS of connections to https addresses. The certificate of the server is always verified; no setting turns that off. A file may be replaced at any time: new connections use the new one.
         * @example {
         *       "ca_file": "tls/ca.pem",
         *       "certificate_file": "tls/gateway.pem",
         *       "key_file": "tls/gateway.key"
         *     }
         */
        UpstreamTls: {
            /** @description PEM file with the certificates of the authorities to trust, in place of those of Node. Relative to the folder of settings.json. */
            ca_file?: string;
            /** @description PEM file with the client certificate to present, followed by intermediate certificates. Requires `key_file`. Relative to the folder of settings.json. */
            certificate_file?: string;
            /** @description PEM file with the private key of the client certificate, without a passphrase. Requires `certificate_file`. */
            key_file?: string;
            /** @description Name that the certificate of the server must have, in place of the host of the address. */
            server_name?: string;
        };
        /**
         * @description Credentials with which the gateway gets a token and sends it to the upstream as `Authorization: Bearer`. The token is shared by all endpoints with the same credentials, renewed before it expires, and replaced after a 401 of the upstream.
         * @example {
         *       "type": "client_credentials",
         *       "token_url": "https://id.example/token",
         *       "client_id": "gateway",
         *       "client_secret": "${CLIENT_SECRET}",
         *       "scopes": [
         *         "orders.read"
         *       ]
         *     }
         */
        UpstreamAuth: {
            /**
             * @description `client_credentials`: OAuth 2.0 (RFC 6749 section 4.4), with `client_id` and `client_secret`. `login`: a POST of `fields`.
             * @enum {string}
             */
            type: "client_credentials" | "login";
            /** @description URL that returns a JSON object with `access_token` and `expires_in` in seconds. A token without `expires_in` is used for 5 minutes. `${NAME}` is replaced as in `targets`, here and in the other fields of the credentials. */
            token_url: string;
            /** @description Name of the gateway at the token endpoint. */
            client_id?: string;
            /** @description Secret of the gateway at the token endpoint. Set it from the environment, as `${NAME}`. */
            client_secret?: string;
            /**
             * @description How `client_id` and `client_secret` are sent, by HTTP Basic or in the body (RFC 6749 section 2.3.1).
             * @default basic
             * @enum {string}
             */
            client_authentication?: "basic" | "post";
            /**
             * @description Scopes to request.
             * @default []
             */
            scopes?: string[];
            /** @description Value of the parameter `audience`, which some authorization servers require. */
            audience?: string;
            /**
             * @description Fields of the body of a login, such as e-mail and password.
             * @default {}
             */
            fields?: {
                [key: string]: string;
            };
            /**
             * @description Media type of the body of a login, `application/x-www-form-urlencoded` or `application/json`.
             * @default form
             * @enum {string}
             */
            body?: "form" | "json";
            tls?: components["schemas"]["UpstreamTls"];
        };
        /**
         * @description Upstream servers of the service `http`.
         * @example {
         *       "targets": [
         *         "http://127.0.0.1:8010"
         *       ],
         *       "path": "/v2/api/staffmember",
         *       "headers": {
         *         "X-API-Key": "${STAFF_KEY}"
         *       }
         *     }
         */
        EndpointUpstream: {
            /** @description Base URLs of the upstream servers, or objects with a URL and a weight. Requests are balanced across them. A path in a URL is prepended to the path of each request. `${NAME}` is replaced by the environment variable NAME, and `${NAME:-text}` by `text` when the variable is not set. */
            targets: (string | components["schemas"]["UpstreamTarget"])[];
            /** @description Path of the upstream request. It may contain the parameters of the endpoint's path, `{name*}` as the last segment. Defaults to the endpoint's path. */
            path?: string | null;
            /**
             * @description Headers to add to the upstream request. `${NAME}` in a value is replaced by the environment variable NAME, and `${NAME:-text}` by `text` when the variable is not set. A header with an empty value is not sent.
             * @default {}
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description Timeout for the response headers and the first byte of the body, retries included, in milliseconds.
             * @default 20000
             */
            timeout_ms?: number;
            /**
             * @description Maximum number of retries of a request that is safe to repeat when the upstream fails.
             * @default 2
             */
            retries?: number;
            health?: components["schemas"]["UpstreamHealth"];
            breaker?: components["schemas"]["UpstreamBreaker"];
            /** @description Longest silence within a response, in milliseconds; 0 allows any. For endpoints whose responses stay open, such as server-sent events: the endpoint gets its own connections to the upstream, so that open streams do not use up those of other requests. A stream stays open across reloads. By default a response ends after 30 seconds of silence. */
            stream_idle_ms?: number | null;
            websocket?: components["schemas"]["EndpointWebSocket"];
            tls?: components["schemas"]["UpstreamTls"];
            auth?: components["schemas"]["UpstreamAuth"];
        };
        /**
         * @description The OpenAPI operation that describes the requests and responses of the endpoint.
         * @example {
         *       "document": "staff.openapi.json",
         *       "operation_id": "listStaffMembers"
         *     }
         */
        EndpointContract: {
            /** @description Path of the OpenAPI document (JSON or YAML), relative to the folder of endpoints.json. */
            document: string;
            /** @description The operationId in that document. */
            operation_id: string;
        };
        /**
         * @description One endpoint in endpoints.json.
         * @example {
         *       "path": "/api/quotes/{coin}",
         *       "service": "crypto",
         *       "requires_auth": true,
         *       "tags": [
         *         "crypto"
         *       ],
         *       "parameters": {
         *         "symbol": {
         *           "source": "path",
         *           "key": "coin"
         *         }
         *       }
         *     }
         */
        EndpointDefinition: {
            /** @description Path from the root of the server. A segment such as `{name}` is a parameter. The last segment may be `{name*}`: the rest of the path, one or more segments. Literal segments have priority over parameters, and both over the rest. */
            path: string;
            /**
             * @description The HTTP method.
             * @default GET
             * @enum {string}
             */
            method?: "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
            /** @description Several HTTP methods, instead of `method`. Each becomes an operation of its own. `cache_seconds` then applies to GET only. */
            methods?: ("GET" | "POST" | "PUT" | "DELETE" | "PATCH")[];
            /** @description Name of the service behind the endpoint. Case-insensitive. */
            service: string;
            /**
             * @description Whether the endpoint is served.
             * @default true
             */
            enabled?: boolean;
            /**
             * @description Whether the endpoint requires a valid key. The same as `auth` with `key`.
             * @default false
             */
            requires_auth?: boolean;
            /** @description Credentials that the endpoint accepts, one of which is required. `key` is an API key, `jwt:<name>` an access token of an issuer in `jwt_issuers` of settings.json. Without it, `requires_auth` applies. */
            auth?: string[];
            /** @description Keys of this endpoint, in the format of `api_keys` in settings.json. They replace the global keys for this endpoint. */
            api_keys?: string | null;
            /**
             * @description Scopes that the endpoint requires. A key or token that lacks one of them is rejected with 403.
             * @default []
             */
            scopes?: string[];
            /** @description Maximum requests to this endpoint in any 60 seconds, per owner of a key, or per address without a key. Applies in addition to the limit of the server. */
            rate_limit_per_minute?: number | null;
            /**
             * @description Maximum time that a response to GET is cached, in seconds. Freshness that the upstream declares in Cache-Control or Expires takes precedence, up to this limit. 0 disables caching.
             * @default 0
             */
            cache_seconds?: number;
            /** @description Time that a response without declared freshness is cached, in seconds. With 0, only responses with declared freshness are cached. Defaults to `cache_seconds`. */
            cache_default_seconds?: number | null;
            /** @description Description of the endpoint in its documentation. Defaults to the description of the service. */
            description?: string | null;
            /** @description Short title for lists. Defaults to the description, then to the summary of the service. */
            summary?: string | null;
            /**
             * @description Tags that group the endpoint in the documentation.
             * @default []
             */
            tags?: string[];
            /**
             * @description Arguments of the service that this endpoint fixes or renames. All other arguments come from request parameters of the same name.
             * @default {}
             */
            parameters?: {
                [key: string]: components["schemas"]["EndpointParameter"];
            };
            /**
             * @description Names of policies of the file, in the order in which they run. Addresses are always checked first, before the key.
             * @default []
             */
            policies?: string[];
            upstream?: components["schemas"]["EndpointUpstream"];
            contract?: components["schemas"]["EndpointContract"];
        };
        /**
         * @description Admits or rejects a request by the address of its client, before its key is checked. A rejected request gets 403. Behind a proxy that `trusted_proxies` lists, the client's address is the one that the proxy reports.
         * @example {
         *       "type": "addresses",
         *       "allow": [
         *         "10.0.0.0/8",
         *         "2001:db8::/32"
         *       ],
         *       "deny": [
         *         "10.0.0.66"
         *       ]
         *     }
         */
        AddressesPolicy: {
            /**
             * @description The type of the policy.
             * @enum {string}
             */
            type: "addresses";
            /**
             * @description Addresses and CIDR blocks that are admitted. When it is empty, all others than those in `deny` are admitted.
             * @default []
             */
            allow?: string[];
            /**
             * @description Addresses and CIDR blocks that are rejected, even when `allow` lists them.
             * @default []
             */
            deny?: string[];
        };
        /**
         * @description Changes of header fields.
         * @example {
         *       "set": {
         *         "X-Owner": "{owner}"
         *       },
         *       "remove": [
         *         "Cookie"
         *       ]
         *     }
         */
        HeaderRules: {
            /**
             * @description Headers with their values. They replace headers of the same name. `{owner}`, `{key}`, `{address}`, `{operation}` and `{request_id}` in a value are replaced by the owner and the name of the caller's key, the client's address, the operationId of the endpoint and the id of the request. A header whose placeholder has no value is not sent.
             * @default {}
             */
            set?: {
                [key: string]: string;
            };
            /**
             * @description Headers to add to those of the same name, with the same placeholders.
             * @default {}
             */
            add?: {
                [key: string]: string;
            };
            /**
             * @description Names of headers to remove.
             * @default []
             */
            remove?: string[];
        };
        /**
         * @description Changes headers of the request to the upstream, and of the response.
         * @example {
         *       "type": "headers",
         *       "request": {
         *         "set": {
         *           "X-Owner": "{owner}"
         *         },
         *         "remove": [
         *           "Cookie"
         *         ]
         *       },
         *       "response": {
         *         "remove": [
         *           "X-Powered-By"
         *         ]
         *       }
         *     }
         */
        HeadersPolicy: {
            /**
             * @description The type of the policy.
             * @enum {string}
             */
            type: "headers";
            /** @description Changes of the request that the service `http` forwards. A client's own copy of a set header is never forwarded. */
            request?: components["schemas"]["HeaderRules"];
            /** @description Changes of the response, cached or not. Errors of the gateway, such as 401, stay unchanged. */
            response?: components["schemas"]["HeaderRules"];
        };
        /**
         * @description The CORS rules of its endpoints, in place of those in settings.json.
         * @example {
         *       "type": "cors",
         *       "origins": [
         *         "https://app.example"
         *       ]
         *     }
         */
        CorsPolicy: {
            /**
             * @description The type of the policy.
             * @enum {string}
             */
            type: "cors";
            /** @description Origins whose pages may call the endpoint, such as `https://app.example`, or `*` for any. Empty means none. */
            origins: string[];
            /**
             * @description Whether pages may send cookies and other browser credentials. Not with `*`.
             * @default false
             */
            credentials?: boolean;
            /**
             * @description How long browsers may cache the response to a preflight, in seconds.
             * @default 600
             */
            max_age_seconds?: number;
        };
        /**
         * @description Limits the request body. A longer one gets 413. The limit in settings.json applies in addition.
         * @example {
         *       "type": "body_size",
         *       "bytes_max": 4096
         *     }
         */
        BodySizePolicy: {
            /**
             * @description The type of the policy.
             * @enum {string}
             */
            type: "body_size";
            /** @description Maximum length of the body in bytes, after its Content-Encoding is decoded. */
            bytes_max: number;
        };
        /**
         * @description A policy in TypeScript, made by `definePolicy`.
         * @example {
         *       "type": "code",
         *       "module": "sign.ts",
         *       "options": {
         *         "header": "X-Signature"
         *       }
         *     }
         */
        CodePolicy: {
            /**
             * @description The type of the policy.
             * @enum {string}
             */
            type: "code";
            /** @description The file that exports the policy, in the folder of services, such as `sign.ts`. */
            module: string;
            /** @description Name of the export. Needed only when the module exports several policies. */
            export?: string;
            /**
             * @description The options that the policy declares.
             * @default {}
             */
            options?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description An Express middleware, run as a policy. It may end the response, or call `next`.
         * @example {
         *       "type": "express",
         *       "module": "helmet.ts"
         *     }
         */
        ExpressPolicy: {
            /**
             * @description The type of the policy.
             * @enum {string}
             */
            type: "express";
            /** @description The file that exports the middleware, in the folder of services, such as `helmet.ts`. */
            module: string;
            /**
             * @description Name of the export.
             * @default default
             */
            export?: string;
        };
        /**
         * @description One policy: a rule that endpoints name in `policies`. Its `type` determines its other fields.
         * @example {
         *       "type": "addresses",
         *       "allow": [
         *         "10.0.0.0/8"
         *       ]
         *     }
         */
        Policy: components["schemas"]["AddressesPolicy"] | components["schemas"]["HeadersPolicy"] | components["schemas"]["CorsPolicy"] | components["schemas"]["BodySizePolicy"] | components["schemas"]["CodePolicy"] | components["schemas"]["ExpressPolicy"];
        /**
         * @description One API key, stored as its SHA-256 digest. The key itself is not stored.
         * @example {
         *       "name": "ops",
         *       "owner": "team-a",
         *       "prefix": "rg_live_7Qx",
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "scopes": [
         *         "reports"
         *       ],
         *       "plan": "gold",
         *       "created_at": "2026-01-01T12:00:00.000Z",
         *       "expires_at": null,
         *       "revoked_at": null
         *     }
         */
        KeyEntry: {
            /** @description Name of the key in logs and metrics. Unique in the file. */
            name: string;
            /** @description Owner of the key. Requests are counted per owner, over all keys of the owner. A key that a developer creates in the portal has the owner of the developer's tokens, `<issuer>:<claim>`. */
            owner: string;
            /**
             * @description First characters of the key, to identify it in lists.
             * @default
             */
            prefix?: string;
            /** @description SHA-256 of the key in lower-case hexadecimal. */
            sha256: string;
            /**
             * @description Scopes of the key.
             * @default []
             */
            scopes?: string[];
            /** @description The plan of the owner, one of `plans` in settings.json. Keys of one owner that name a plan name the same one, and the others have it too. */
            plan?: string;
            /**
             * Format: date-time
             * @description Time when the key was created.
             */
            created_at?: string | null;
            /**
             * Format: date-time
             * @description Time when the key expires. Null means no expiry.
             */
            expires_at?: string | null;
            /**
             * Format: date-time
             * @description Time when the key was revoked. Null when it is not revoked.
             */
            revoked_at?: string | null;
        };
    };
    responses: {
        /** @description Any other error, with one of the statuses 406, 408, 414, 431, 501 and 503. */
        UnexpectedProblem: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:uri_too_long",
                 *       "title": "The address is too long",
                 *       "status": 414,
                 *       "detail": "Keep the address within 16384 bytes.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "uri_too_long",
                 *       "kind": "UriTooLongError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The client's copy is current (RFC 9110, section 15.4.5). Sent when If-None-Match names the current version. */
        NotModified: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Validation failed: a parameter is missing, malformed or not declared, or the body does not match its schema. `errors` lists every fault. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:validation_failed",
                 *       "title": "Request validation failed",
                 *       "status": 400,
                 *       "detail": "Correct the parts that errors lists and send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "validation_failed",
                 *       "kind": "ValidationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY",
                 *       "errors": [
                 *         {
                 *           "parameter": "companyKey",
                 *           "detail": "must have required property 'companyKey'"
                 *         }
                 *       ]
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Credentials are missing, invalid, expired or revoked, or sent in more than one way. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:token_expired",
                 *       "title": "The bearer token has expired",
                 *       "status": 401,
                 *       "detail": "Log in again and send the new token.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "token_expired",
                 *       "kind": "AuthenticationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The quota is used up. Rejected requests do not count, so a request after `Retry-After` succeeds. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                /**
                 * @description Seconds to wait before the same request can succeed (RFC 9110, section 10.2.3).
                 * @example 12
                 */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "Wait as long as Retry-After says, then send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "limit_exceeded",
                 *       "kind": "RateLimitError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Server error. The response contains no internal details. The log contains them under the same request id. */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:internal_error",
                 *       "title": "The server failed",
                 *       "status": 500,
                 *       "detail": "Try again later, and quote request_id if it lasts.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "internal_error",
                 *       "kind": "InternalError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The resource does not exist, or the caller may not see it. The two responses are identical. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:not_found",
                 *       "title": "The resource does not exist",
                 *       "status": 404,
                 *       "detail": "No resource exists at this path. Check the keys in it.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "not_found",
                 *       "kind": "NotFoundError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller is authenticated but not allowed to do this. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:scope_missing",
                 *       "title": "A scope is missing",
                 *       "status": 403,
                 *       "detail": "This operation needs the scope admin. Use an account that has it.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "scope_missing",
                 *       "kind": "AuthorizationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request body is larger than the server accepts. */
        ContentTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:body_too_large",
                 *       "title": "The body is too large",
                 *       "status": 413,
                 *       "detail": "Send a smaller body.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "body_too_large",
                 *       "kind": "PayloadTooLargeError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The operation does not declare the Content-Type, or the content coding is not supported. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:media_type_unsupported",
                 *       "title": "The media type is not supported",
                 *       "status": 415,
                 *       "detail": "Send the body with a Content-Type that the operation declares.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "media_type_unsupported",
                 *       "kind": "MediaTypeError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The server is starting, stopping or overloaded, or one of its dependencies is unavailable. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:unavailable",
                 *       "title": "The service is not available now",
                 *       "status": 503,
                 *       "detail": "Wait as long as Retry-After says, then send the request again.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "unavailable",
                 *       "kind": "UnavailableError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is rejected, and nothing has changed. A client that accepts `text/html` gets a page that says why, any other client a problem document. */
        PortalFault: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                "Set-Cookie": components["headers"]["PortalCookie"];
                [name: string]: unknown;
            };
            content: {
                /** @example <!doctype html><html lang="en"><title>Developer portal</title></html> */
                "text/html": string;
                /**
                 * @example {
                 *       "type": "urn:rostergate:problem:validation_failed",
                 *       "title": "Request validation failed",
                 *       "status": 400,
                 *       "detail": "The request does not match the contract.",
                 *       "instance": "/portal/keys",
                 *       "code": "validation_failed",
                 *       "kind": "ValidationError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description File name of an asset of the page. Any other name returns 404.
         * @example page.css
         */
        Asset: string;
        /**
         * @description Start of the range; rounded down to an hour. By default 24 hours before `to`.
         * @example 2026-01-01T00:00:00Z
         */
        UsageFrom: string;
        /**
         * @description End of the range; rounded up to an hour. By default now. The range is at most 31 days by hour, and 400 days by day.
         * @example 2026-01-02T00:00:00Z
         */
        UsageTo: string;
        /**
         * @description Whether the counts are by hour or by day.
         * @example day
         */
        UsageInterval: "hour" | "day";
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifier of the request. The log line and `request_id` of a problem contain the same value. A well-formed `X-Request-Id` of the client is reused.
         * @example 01JD7Q2Z9V4M8T6C3K5N0R1WXY
         */
        RequestId: string;
        /**
         * @description Remaining quota of each policy that applies (draft-ietf-httpapi-ratelimit-headers). `r` is the number of remaining requests. `t` is the number of seconds until one more request is available. A caller with a plan sees only the policy that is closest to its limit. Absent when limits are off and while the count is unknown.
         * @example "default";r=59;t=60
         */
        RateLimit: string;
        /**
         * @description The policies that apply (draft-ietf-httpapi-ratelimit-headers). Each allows `q` requests in any `w` seconds. `default` covers all routes; in its place, a plan has one policy for each of its limits, such as `gold-day`. `endpoint` applies in addition where an endpoint has a limit of its own. `auxiliary` applies alone to pages, metrics and preflights, which do not use a client's quota. Absent when `RateLimit` is absent.
         * @example "default";q=60;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Seconds to wait before the same request can succeed (RFC 9110, section 10.2.3). Absent when the time is unknown.
         * @example 12
         */
        RetryAfter: number;
        /**
         * @description Version of the resource, as an entity tag (RFC 9110, section 8.8.3). It changes with every change of the resource. Send it back in If-Match or If-None-Match.
         * @example "7"
         */
        ETag: string;
        /**
         * @description Authentication scheme to use (RFC 9110, section 11.6.1).
         * @example Bearer
         */
        WwwAuthenticate: string;
        /**
         * @description A cookie of the developer portal, encrypted and out of reach of scripts.
         * @example __Host-portal=eyJhbGciOiJkaXIi; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=28800
         */
        PortalCookie: string;
        /**
         * @description Where the browser continues.
         * @example /portal
         */
        PortalLocation: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getLandingPage: {
        parameters: {
            query?: {
                /**
                 * @description Shows only the endpoints whose method, path, summary or tags contain these words.
                 * @example crypto
                 */
                q?: string;
                /**
                 * @description Shows only the endpoints with this tag. Empty shows all.
                 * @example crypto
                 */
                tag?: string;
                /** @description Page of the endpoint list to show, counted from 1. A number beyond the last page shows the last page. */
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>Rostergate Gateway</title></html> */
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getLandingAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example :root { color-scheme: light dark; } */
                    "text/css": string;
                    /** @example document.title = 'Rostergate'; */
                    "text/javascript": string;
                    /** @example <svg xmlns="http://www.w3.org/2000/svg"/> */
                    "image/svg+xml": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getAuthStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key or token is valid. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "timestamp": "2026-01-01T12:00:00.000Z",
                     *       "authenticated": true,
                     *       "message": "The key is valid.",
                     *       "name": "3f79bb7b",
                     *       "scopes": []
                     *     }
                     */
                    "application/json": components["schemas"]["AuthStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    validateKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the check. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyVerdict"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    listEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints and the available services. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoints": [
                     *         {
                     *           "path": "/api/crypto",
                     *           "method": "GET",
                     *           "service": "crypto",
                     *           "enabled": true,
                     *           "requires_auth": false,
                     *           "auth": [],
                     *           "scopes": [],
                     *           "rate_limit_per_minute": null,
                     *           "description": "Price, market capitalisation and supply of a cryptocurrency.",
                     *           "tags": [
                     *             "crypto"
                     *           ],
                     *           "summary": "Price of a cryptocurrency"
                     *         }
                     *       ],
                     *       "services": [
                     *         "crypto",
                     *         "echo",
                     *         "static"
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": components["schemas"]["EndpointList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server responds. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "healthy",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "alive",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Liveness"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server can serve requests. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0",
                     *       "uptime_seconds": 3600.5,
                     *       "dependencies": {
                     *         "configuration": {
                     *           "status": "ready"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["InternalServerError"];
            /** @description The server cannot serve requests. The body is the readiness report. It is a problem only when an invalid key was sent and cannot be counted. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "unavailable",
                     *       "timestamp": "2026-11-21T09:30:00.000Z",
                     *       "version": "0.1.0",
                     *       "uptime_seconds": 3600.5,
                     *       "dependencies": {
                     *         "configuration": {
                     *           "status": "unavailable"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getMetrics: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of routes in the JSON form, the busiest first. All routes when absent. The Prometheus form always contains all routes.
                 * @example 5
                 */
                routes?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics since the process started. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # HELP process_uptime_seconds Seconds since the process started.
                     *     # TYPE process_uptime_seconds gauge
                     *     process_uptime_seconds 3600.5
                     */
                    "text/plain": string;
                    /**
                     * @example {
                     *       "uptime_seconds": 3600.5,
                     *       "total_requests": 200,
                     *       "total_errors": 10,
                     *       "error_rate": 0.05,
                     *       "total_time": 0.08,
                     *       "duration_buckets": [
                     *         {
                     *           "le": 0.0005,
                     *           "count": 180
                     *         },
                     *         {
                     *           "le": 0.001,
                     *           "count": 200
                     *         }
                     *       ],
                     *       "endpoints": {
                     *         "GET /health": {
                     *           "count": 200,
                     *           "average_time": 0.0004,
                     *           "error_count": 10,
                     *           "error_rate": 0.05,
                     *           "status_codes": {
                     *             "200": 190,
                     *             "400": 10
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Metrics"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    callMcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/list"
                 *     }
                 */
                "application/json": components["schemas"]["JsonRpcMessage"];
            };
        };
        responses: {
            /** @description The response to the message. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {
                     *         "tools": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JsonRpcResponse"];
                };
            };
            /** @description The message is a notification, and has no response. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is malformed, or the message and its header fields contradict each other. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "error": {
                     *         "code": -32020,
                     *         "message": "Header mismatch: Mcp-Method differs from the body."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JsonRpcResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The server has no such method. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "error": {
                     *         "code": -32601,
                     *         "message": "Method not found"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["JsonRpcResponse"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getMcpMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The issuers whose tokens `/mcp` accepts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource": "https://api.example.com/mcp",
                     *       "authorization_servers": [
                     *         "https://id.example.com"
                     *       ],
                     *       "bearer_methods_supported": [
                     *         "header"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ResourceMetadata"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /**
                 * @description Start of the range; rounded down to an hour. By default 24 hours before `to`.
                 * @example 2026-01-01T00:00:00Z
                 */
                from?: components["parameters"]["UsageFrom"];
                /**
                 * @description End of the range; rounded up to an hour. By default now. The range is at most 31 days by hour, and 400 days by day.
                 * @example 2026-01-02T00:00:00Z
                 */
                to?: components["parameters"]["UsageTo"];
                /**
                 * @description Whether the counts are by hour or by day.
                 * @example day
                 */
                interval?: components["parameters"]["UsageInterval"];
                /**
                 * @description Parts by which the requests are counted apart, separated by commas. By default all of them.
                 * @example [
                 *       "key",
                 *       "status"
                 *     ]
                 */
                by?: ("key" | "operation" | "status")[];
                /**
                 * @description The owner of the requests. Only your own exists for you, and it is the default; any other is 404.
                 * @example shop
                 */
                owner?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "owner": "shop",
                     *       "from": "2026-01-01T12:00:00Z",
                     *       "to": "2026-01-01T13:00:00Z",
                     *       "interval": "hour",
                     *       "total_requests": 120,
                     *       "usage": [
                     *         {
                     *           "time": "2026-01-01T12:00:00Z",
                     *           "key": "shop-web",
                     *           "operation": "getApiPrice",
                     *           "status": "2xx",
                     *           "requests": 120
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getPortal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>Developer portal</title></html> */
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortalFault"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["PortalFault"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getPortalAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example body { margin: 0 } */
                    "text/css": string;
                    /** @example 'use strict'; */
                    "text/javascript": string;
                    /** @example <svg xmlns="http://www.w3.org/2000/svg"/> */
                    "image/svg+xml": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    beginPortalSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The issuer, which returns to `/portal/callback`. */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["PortalLocation"];
                    "Set-Cookie": components["headers"]["PortalCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortalFault"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["PortalFault"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    completePortalSignIn: {
        parameters: {
            query?: {
                /**
                 * @description The authorization response of the issuer (RFC 6749, section 4.1.2), such as `code` and `state`.
                 * @example {
                 *       "code": "SplxlOBeZQQYbYS6WxSbIA",
                 *       "state": "af0ifjsldkj"
                 *     }
                 */
                response?: {
                    [key: string]: unknown;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in. */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["PortalLocation"];
                    "Set-Cookie": components["headers"]["PortalCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PortalFault"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortalFault"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["PortalFault"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    endPortalSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["PortalLocation"];
                    "Set-Cookie": components["headers"]["PortalCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortalFault"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    createPortalKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["PortalKeyRequest"];
                "application/json": components["schemas"]["PortalKeyRequest"];
            };
        };
        responses: {
            /** @description The page with the new key and a first call in three languages. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>Developer portal</title></html> */
                    "text/html": string;
                };
            };
            400: components["responses"]["PortalFault"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortalFault"];
            409: components["responses"]["PortalFault"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["PortalFault"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    rotatePortalKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of one of your keys.
                 * @example 3fa9c1d2e4b7.laptop
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["PortalRotationRequest"];
                "application/json": components["schemas"]["PortalRotationRequest"];
            };
        };
        responses: {
            /** @description The page with the new key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>Developer portal</title></html> */
                    "text/html": string;
                };
            };
            400: components["responses"]["PortalFault"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortalFault"];
            404: components["responses"]["PortalFault"];
            409: components["responses"]["PortalFault"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["PortalFault"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    revokePortalKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Name of one of your keys.
                 * @example 3fa9c1d2e4b7.laptop
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked. */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Location: components["headers"]["PortalLocation"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PortalFault"];
            404: components["responses"]["PortalFault"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["PortalFault"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getOpenapiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.0.3",
                     *       "info": {
                     *         "title": "Example",
                     *         "version": "0.1.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": components["schemas"]["OpenapiDocument"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>Swagger UI</title></html> */
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getDocsAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example 'use strict'; */
                    "text/javascript": string;
                    /** @example body { margin: 0 } */
                    "text/css": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getRedoc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html><html lang="en"><title>ReDoc</title></html> */
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getRedocAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description File name of an asset of the page. Any other name returns 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example 'use strict'; */
                    "text/javascript": string;
                    /** @example body { margin: 0 } */
                    "text/css": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            default: components["responses"]["UnexpectedProblem"];
        };
    };
}
/** The file settings.json. Every field is optional. The environment variable `ROSTERGATE_<FIELD>` sets the same field. */
export type Settings = components['schemas']['Settings'];
/** The file endpoints.json. Each enabled entry becomes a route of the gateway and a path of its contract. */
export type EndpointsFile = components['schemas']['EndpointsFile'];
/** The file keys.json, which `rostergate keys` writes. It must be readable by its owner only (mode 600). */
export type KeysFile = components['schemas']['KeysFile'];
/** One fault of a request, with its location - a member of the body, a parameter, a header, or a cookie. */
export type ProblemFault = components['schemas']['ProblemFault'];
/** An error (RFC 9457, application/problem+json). `code` identifies the exact cause and `kind` its family. Both are stable and meant for programs. `title` and `detail` are meant for people. Further members may be added. */
export type Problem = components['schemas']['Problem'];
/** Confirms that the key or token is valid. */
export type AuthStatus = components['schemas']['AuthStatus'];
/** Result of the check of the key or token that was sent, or of its absence. */
export type KeyVerdict = components['schemas']['KeyVerdict'];
/** One served endpoint. */
export type Endpoint = components['schemas']['Endpoint'];
/** A named set of limits. A request must pass all of them, and counts in all or none. */
export type Plan = components['schemas']['Plan'];
/** The served endpoints and the available services. */
export type EndpointList = components['schemas']['EndpointList'];
/** The server responds to requests. */
export type Health = components['schemas']['Health'];
/** The process is alive. The response depends on nothing outside the process. */
export type Liveness = components['schemas']['Liveness'];
/** State of one dependency. Other members depend on the dependency, such as a count or the reason of a failure. */
export type ReadinessDependency = components['schemas']['ReadinessDependency'];
/** Readiness of the server, with the state of each dependency. */
export type Readiness = components['schemas']['Readiness'];
/** Metrics of one route since the process started. */
export type EndpointMetrics = components['schemas']['EndpointMetrics'];
/** Metrics since the process started. */
export type Metrics = components['schemas']['Metrics'];
/** A request or notification of JSON-RPC 2.0. */
export type JsonRpcMessage = components['schemas']['JsonRpcMessage'];
/** A response of JSON-RPC 2.0, with a result or an error. */
export type JsonRpcResponse = components['schemas']['JsonRpcResponse'];
/** The metadata of a protected resource (RFC 9728). */
export type ResourceMetadata = components['schemas']['ResourceMetadata'];
/** The number of requests in an hour or a day, with the parts that `by` names. */
export type UsageCount = components['schemas']['UsageCount'];
/** Finished requests of the owner of the credential. */
export type Usage = components['schemas']['Usage'];
/** A key that a developer creates in the portal. */
export type PortalKeyRequest = components['schemas']['PortalKeyRequest'];
/** How a key is replaced. */
export type PortalRotationRequest = components['schemas']['PortalRotationRequest'];
/** An OpenAPI document. The OpenAPI specification defines its other members. */
export type OpenapiDocument = components['schemas']['OpenapiDocument'];
/** An issuer of access tokens (JWT, RFC 9068) that endpoints accept. */
export type JwtIssuer = components['schemas']['JwtIssuer'];
/** An operation that AI agents can call as a tool. */
export type McpTool = components['schemas']['McpTool'];
/** Operations that AI agents can call as tools at `/mcp`, by the Model Context Protocol. */
export type Mcp = components['schemas']['Mcp'];
/** Store how many requests each key has made, per hour, operation and class of status. Callers read the counts of their owner at `/usage`, operators those of all with `rostergate usage`. Paths, addresses and bodies are not stored. */
export type UsageSettings = components['schemas']['UsageSettings'];
/** The developer portal at `/portal`. Developers sign in with an OpenID Connect issuer and manage their own keys within these bounds. Requires `portal_client_secret`. */
export type Portal = components['schemas']['Portal'];
/** Takes the argument from a request parameter. */
export type ParameterSource = components['schemas']['ParameterSource'];
/** Source of an argument of the service. An object with `source` takes the argument from a parameter of the request. Any other value is passed as it is. */
export type EndpointParameter = components['schemas']['EndpointParameter'];
/** An upstream server and its share of the requests. */
export type UpstreamTarget = components['schemas']['UpstreamTarget'];
/** Regular GET requests to each target, which take one that fails out of the balancing before clients meet the failure. While every target fails its checks, requests are sent to all of them. */
export type UpstreamHealth = components['schemas']['UpstreamHealth'];
/** When the circuit to a target opens. While it is open, requests that would use the target are rejected with 503, or sent to another target. */
export type UpstreamBreaker = components['schemas']['UpstreamBreaker'];
/** Makes the endpoint accept WebSockets only, and forwards each to the upstream. The handshake is checked like any other request. */
export type EndpointWebSocket = components['schemas']['EndpointWebSocket'];
/** TLS of connections to https addresses. The certificate of the server is always verified; no setting turns that off. A file may be replaced at any time: new connections use the new one. */
export type UpstreamTls = components['schemas']['UpstreamTls'];
/** Credentials with which the gateway gets a token and sends it to the upstream as `Authorization: Bearer`. The token is shared by all endpoints with the same credentials, renewed before it expires, and replaced after a 401 of the upstream. */
export type UpstreamAuth = components['schemas']['UpstreamAuth'];
/** Upstream servers of the service `http`. */
export type EndpointUpstream = components['schemas']['EndpointUpstream'];
/** The OpenAPI operation that describes the requests and responses of the endpoint. */
export type EndpointContract = components['schemas']['EndpointContract'];
/** One endpoint in endpoints.json. */
export type EndpointDefinition = components['schemas']['EndpointDefinition'];
/** Admits or rejects a request by the address of its client, before its key is checked. A rejected request gets 403. Behind a proxy that `trusted_proxies` lists, the client's address is the one that the proxy reports. */
export type AddressesPolicy = components['schemas']['AddressesPolicy'];
/** Changes of header fields. */
export type HeaderRules = components['schemas']['HeaderRules'];
/** Changes headers of the request to the upstream, and of the response. */
export type HeadersPolicy = components['schemas']['HeadersPolicy'];
/** The CORS rules of its endpoints, in place of those in settings.json. */
export type CorsPolicy = components['schemas']['CorsPolicy'];
/** Limits the request body. A longer one gets 413. The limit in settings.json applies in addition. */
export type BodySizePolicy = components['schemas']['BodySizePolicy'];
/** A policy in TypeScript, made by `definePolicy`. */
export type CodePolicy = components['schemas']['CodePolicy'];
/** An Express middleware, run as a policy. It may end the response, or call `next`. */
export type ExpressPolicy = components['schemas']['ExpressPolicy'];
/** One policy: a rule that endpoints name in `policies`. Its `type` determines its other fields. */
export type Policy = components['schemas']['Policy'];
/** One API key, stored as its SHA-256 digest. The key itself is not stored. */
export type KeyEntry = components['schemas']['KeyEntry'];
