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
         * See what is served here
         * @description A page for people that shows the state of the server, its traffic, the endpoints and how to call them.
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
         * Get a part of the landing page
         * @description Style sheet, script and icon of the landing page. Served while the landing page is on.
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
         * Check that your key opens secured routes
         * @description Answers 200 when the key is valid, and the 401 of every secured route when it is not.
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
         * Get the verdict on a key
         * @description Always answers 200 and says in the body whether the key that was sent is valid, and if not, why. A wrong key still counts against the address it came from.
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
         * @description Lists what the configuration adds to the built-in routes. Only what is really served is listed.
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
         * Tell that the server answers
         * @description Answers 200 as long as the server answers requests at all, with the version that is running. It looks at nothing else; ask /health/ready whether work can be done. Rate limits do not apply.
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
         * Tell that the process is alive
         * @description For a supervisor that restarts a stuck process. The answer never depends on a database, an upstream or any other process. Rate limits do not apply.
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
         * Tell whether the server can do its work
         * @description For a load balancer that decides where to send requests. Answers 200 when the server can do its work (`ready`, or `degraded` when something is amiss that does not stop it) and 503 when it cannot, naming each dependency and its state. Rate limits do not apply.
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
         * Read counts and times of requests
         * @description Prometheus text by default, JSON when the Accept header prefers `application/json`. Routes appear under their path templates, never under the paths that callers sent.
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
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the OpenAPI document of this server
         * @description The contract that this server keeps, as one document without outside references. It lists exactly the operations that are served.
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
         * @description An HTML page that shows the OpenAPI document of this server in Swagger UI. It loads nothing from another origin.
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
                 * @description File name of an asset of the page. A name that the page does not use is 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        /**
         * Load a file that the Swagger UI page uses
         * @description A script or style sheet of the Swagger UI page, served from this server's own copy. Any other name is 404.
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
         * @description An HTML page that shows the OpenAPI document of this server in ReDoc. It loads nothing from another origin.
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
                 * @description File name of an asset of the page. A name that the page does not use is 404.
                 * @example page.css
                 */
                asset: components["parameters"]["Asset"];
            };
            cookie?: never;
        };
        /**
         * Load a file that the ReDoc page uses
         * @description A script or style sheet of the ReDoc page, served from this server's own copy. Any other name is 404.
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
         * @description The file settings.json. Every field may be absent, and may be given as `ROSTERGATE_<FIELD>` in the environment instead.
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
             * @description Address to listen on. `0.0.0.0` or `::` listens on all of them.
             * @default 127.0.0.1
             * @example 0.0.0.0
             */
            host?: string;
            /**
             * @description Port to listen on. 0 takes any free one.
             * @default 8000
             * @example 9000
             */
            port?: number;
            /**
             * @description Processes that serve behind the one port. Limits, metrics and reloads are the same across them.
             * @default 1
             * @example 4
             */
            workers?: number;
            /**
             * @description Addresses and networks (such as `10.0.0.0/8`) of the proxies in front. Only what they say in forwarded headers is believed.
             * @default []
             * @example [
             *       "10.0.0.0/8"
             *     ]
             */
            trusted_proxies?: string[];
            /**
             * @description Path of the certificate chain (PEM) to serve HTTPS with. A renewed file is taken up while running.
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
             * @description Keys that open every secured endpoint: a comma-separated list, or the path of a file with one a line (`#` begins a comment). An entry is the key itself or `sha256:` and its digest in hexadecimal. Without any, every key is invalid.
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
             * @description Serve the contract at `/openapi.json`. Without it `/docs` and `/redoc` are off as well.
             * @default true
             */
            enable_openapi?: boolean;
            /**
             * @description The groups of built-in routes to serve. A group that is left out is answered with 404.
             * @default [
             *       "health",
             *       "metrics",
             *       "auth",
             *       "endpoints"
             *     ]
             */
            enabled_routers?: ("health" | "metrics" | "auth" | "endpoints")[];
            /**
             * @description Whether `/metrics` needs a valid key.
             * @default false
             */
            metrics_requires_auth?: boolean;
            /**
             * @description Count requests and refuse those above the limit. `false` removes the limit headers too.
             * @default true
             */
            rate_limit_enabled?: boolean;
            /**
             * @description Requests that one address may make without a key in any 60 seconds.
             * @default 60
             * @example 120
             */
            rate_limit_per_minute?: number;
            /**
             * @description Requests that one owner may make with a valid key in any 60 seconds.
             * @default 300
             * @example 600
             */
            rate_limit_per_minute_authenticated?: number;
            /**
             * @description Address of a Redis in which the limits are counted, so that several machines share one count. Without it each machine counts for itself.
             * @default
             * @example rediss://:password@redis.example:6379
             */
            redis_url?: string;
            /**
             * @description What the names of the keys in Redis begin with.
             * @default rostergate:
             * @example team-a:
             */
            redis_prefix?: string;
            /**
             * @description What to do while Redis cannot be reached: count in this process (`local`), let every request pass (`open`) or refuse every request with 503 (`closed`).
             * @default local
             * @enum {string}
             */
            rate_limit_on_store_failure?: "local" | "open" | "closed";
            /**
             * @description Origins whose pages may call this server from a browser, such as `https://app.example`, or `*` for any.
             * @default []
             * @example [
             *       "https://app.example"
             *     ]
             */
            cors_origins?: string[];
            /**
             * @description Whether those pages may send cookies and other credentials of the browser. Not with `*`.
             * @default false
             */
            cors_credentials?: boolean;
            /**
             * @description How long a browser may keep the answer to its preflight.
             * @default 600
             * @example 3600
             */
            cors_max_age_seconds?: number;
            /**
             * @description Compress answers above 1 KiB with br or gzip for callers that accept it.
             * @default true
             */
            enable_compression?: boolean;
            /**
             * @description Longest request body that is read, in bytes. A longer one is answered with 413.
             * @default 10485760
             * @example 1048576
             */
            body_bytes_max?: number;
            /**
             * @description How long a caller may take to send the head of a request, in milliseconds.
             * @default 10000
             * @example 5000
             */
            headers_timeout_ms?: number;
            /**
             * @description How long a caller may take to send a whole request, in milliseconds. 0 sets no bound.
             * @default 60000
             * @example 30000
             */
            request_timeout_ms?: number;
            /**
             * @description How long a service may take to answer, in milliseconds; then the caller is answered with 503. 0 sets no bound. What `http` waits for is said by the endpoint.
             * @default 30000
             * @example 5000
             */
            service_timeout_ms?: number;
            /**
             * @description How long an idle connection is kept, in milliseconds.
             * @default 65000
             * @example 75000
             */
            keep_alive_timeout_ms?: number;
            /**
             * @description How long requests in flight may take to end after SIGTERM or SIGINT, in milliseconds.
             * @default 5000
             * @example 30000
             */
            drain_ms?: number;
            /**
             * @description Least serious level that is logged.
             * @default info
             * @enum {string}
             */
            log_level?: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
            /**
             * @description Of the requests answered below 400, one in so many is logged. Errors always are.
             * @default 1
             * @example 100
             */
            log_sample_every?: number;
            /**
             * @description Take up edits of the configuration's files while running. SIGHUP does so in any case.
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
             * @description Path of the folder with services of your own, relative to the folder of settings.json.
             * @default services
             * @example /srv/services
             */
            services_dir?: string;
            /**
             * @description Address of the ticker list that the service `crypto` reads.
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
         *           ]
         *         }
         *       ]
         *     }
         */
        EndpointsFile: {
            /**
             * @description The endpoints, in the order in which they are listed.
             * @default []
             */
            endpoints?: components["schemas"]["EndpointDefinition"][];
        };
        /** @description The file keys.json, which `rostergate keys` writes. Only its owner may read it (mode 600). */
        KeysFile: {
            /** @description The keys, in the order in which they were made. */
            keys: components["schemas"]["KeyEntry"][];
        };
        /** @description One fault of a request, with its place - a member of the body, a parameter, or a header. */
        ProblemFault: {
            /**
             * @description JSON Pointer (RFC 6901) to the faulty member of the body; empty for the body as a whole.
             * @example /StaffId
             */
            pointer?: string;
            /**
             * @description Name of the faulty query or path parameter.
             * @example $filter
             */
            parameter?: string;
            /**
             * @description Name of the faulty header.
             * @example Content-Type
             */
            header?: string;
            /**
             * @description What is wrong there.
             * @example must have required property 'StaffId'
             */
            detail: string;
        };
        /** @description An error (RFC 9457, application/problem+json). `code` names the exact cause and `kind` its family; both are stable and meant for programs, `title` and `detail` are meant for people. Further members may be added. */
        Problem: {
            /**
             * Format: uri-reference
             * @description Identifies the problem type: `urn:rostergate:problem:` and `code`, or the address under which IANA registers it.
             * @example urn:rostergate:problem:validation_failed
             */
            type: string;
            /**
             * @description Short summary of the problem type, the same for every occurrence.
             * @example The request breaks the contract
             */
            title: string;
            /**
             * @description The status code of the answer.
             * @example 400
             */
            status: number;
            /**
             * @description What happened this time, and what to do next.
             * @example Correct the parts that errors lists and send the request again.
             */
            detail: string;
            /**
             * Format: uri-reference
             * @description The path of the request, without its query.
             * @example /v2/staffmember
             */
            instance?: string;
            /**
             * @description The exact cause.
             * @example validation_failed
             */
            code: string;
            /**
             * @description The family of the cause: `ValidationError` (400), `AuthenticationError` (401), `AuthorizationError` (403), `NotFoundError` (404), and one for each of the other statuses.
             * @example ValidationError
             */
            kind: string;
            /**
             * @description The value of the answer's `X-Request-Id` header; quote it when asking for help.
             * @example 01JD7Q2Z9V4M8T6C3K5N0R1WXY
             */
            request_id: string;
            /** @description Every fault that was found, each with its place. */
            errors?: components["schemas"]["ProblemFault"][];
        };
        /** @description The key that was sent is valid. */
        AuthStatus: {
            /**
             * Format: date-time
             * @description When this was answered, in UTC.
             */
            timestamp: string;
            /**
             * @description Always true; a wrong or missing key is a 401.
             * @enum {boolean}
             */
            authenticated: true;
            /** @description The same for people. */
            message: string;
            /** @description Name of the key, never the key itself. */
            name?: string;
            /** @description What the key may do. */
            scopes?: string[];
        };
        /** @description What the gateway thinks of the key that was sent, or of its absence. */
        KeyVerdict: {
            /**
             * Format: date-time
             * @description When this was answered, in UTC.
             */
            timestamp: string;
            /** @description Whether a secured route would accept it. */
            valid: boolean;
            /**
             * @description The verdict as a word. All but `key_valid` are codes of the 401 that a secured route answers.
             * @enum {string}
             */
            code: "key_valid" | "key_missing" | "key_invalid" | "key_expired" | "key_revoked" | "key_repeated";
            /** @description The verdict for people, with what to do next. */
            message: string;
            /** @description Name of the key, never the key itself. Only of a valid one. */
            name?: string;
            /** @description Whose key it is; the limit counts all keys of an owner together. Only of a valid one. */
            owner?: string;
            /** @description What the key may do. Only of a valid one. */
            scopes?: string[];
        };
        /**
         * @description One endpoint as it is served.
         * @example {
         *       "path": "/api/crypto",
         *       "method": "GET",
         *       "service": "crypto",
         *       "enabled": true,
         *       "requires_auth": false,
         *       "scopes": [],
         *       "rate_limit_per_minute": null,
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
            /** @description Name of the service that answers. */
            service: string;
            /**
             * @description Always true; what is not served is not listed.
             * @enum {boolean}
             */
            enabled: true;
            /** @description Whether a valid key is needed. */
            requires_auth: boolean;
            /** @description What the key must be allowed to do; all of them are needed. */
            scopes?: string[];
            /** @description A limit of this endpoint alone, beside that of the server; null without one. */
            rate_limit_per_minute?: number | null;
            /** @description What the endpoint does. */
            description: string;
            /** @description Groups in which the documentation shows it. */
            tags: string[];
            /** @description A line for lists. */
            summary: string;
        };
        /** @description The configured endpoints that are really served, and the services behind them. */
        EndpointList: {
            /** @description In the order of the configuration. */
            endpoints: components["schemas"]["Endpoint"][];
            /** @description Names of the services that can be configured, sorted. */
            services: string[];
            /** @description How many endpoints are served. */
            total: number;
        };
        /** @description The server answers requests. */
        Health: {
            /** @enum {string} */
            status: "healthy";
            /**
             * Format: date-time
             * @description When the answer was made, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
        };
        /** @description The process is alive. Nothing outside the process has any part in this answer. */
        Liveness: {
            /** @enum {string} */
            status: "alive";
            /**
             * Format: date-time
             * @description When the answer was made, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
        };
        /** @description State of one dependency. Members beside `status` depend on what it is, such as a count or the reason of a failure. */
        ReadinessDependency: {
            /** @enum {string} */
            status: "ready" | "degraded" | "unavailable";
        } & {
            [key: string]: unknown;
        };
        /** @description Whether the server can do its work, and the state of each thing that it depends on. */
        Readiness: {
            /**
             * @description `ready` and `degraded` (working, with something amiss) come with 200; `unavailable` comes with 503.
             * @enum {string}
             */
            status: "ready" | "degraded" | "unavailable";
            /**
             * Format: date-time
             * @description When the answer was made, in UTC.
             */
            timestamp: string;
            /** @description Version of the running server. */
            version: string;
            /** @description Seconds since the process started. */
            uptime_seconds: number;
            /** @description The state of each dependency by its name. */
            dependencies: {
                [key: string]: components["schemas"]["ReadinessDependency"];
            };
        };
        /** @description Counts of one route since the process started. */
        EndpointMetrics: {
            /** @description Requests to the route. */
            count: number;
            /** @description Mean time from the request's arrival to the end of its answer, in seconds. */
            average_time: number;
            /** @description Requests answered with a status of 400 or above. */
            error_count: number;
            error_rate: number;
            /** @description Number of answers by status code. */
            status_codes: {
                [key: string]: number;
            };
        };
        /** @description Counts since the process started. */
        Metrics: {
            /** @description Seconds since the process started. */
            uptime_seconds: number;
            total_requests: number;
            /** @description Requests answered with a status of 400 or above. */
            total_errors: number;
            /** @description total_errors divided by total_requests, 0 when there were none. */
            error_rate: number;
            /** @description Sum of the times of all requests, in seconds. */
            total_time: number;
            /** @description How many requests took at most so long, for rates and percentiles between two readings. Bounds rise; requests above the last one are in total_requests alone. */
            duration_buckets: {
                /** @description The bound in seconds, included. */
                le: number;
                /** @description Requests that took no longer. */
                count: number;
            }[];
            /** @description The counts of each route, under its method and path template such as `GET /health`. */
            endpoints: {
                [key: string]: components["schemas"]["EndpointMetrics"];
            };
        };
        /** @description An OpenAPI document. Its own specification says what else it holds. */
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
         * @description Takes the argument from a parameter of the request.
         * @example {
         *       "source": "path",
         *       "key": "coin"
         *     }
         */
        ParameterSource: {
            /**
             * @description Where the parameter stands in the request.
             * @enum {string}
             */
            source: "query" | "path";
            /** @description The name it has there. */
            key: string;
        };
        /**
         * @description Where an argument of the service comes from: a parameter of the request (an object with `source`), or the value that stands here.
         * @example {
         *       "source": "query",
         *       "key": "coin"
         *     }
         */
        EndpointParameter: components["schemas"]["ParameterSource"] | string | number | boolean | unknown[] | {
            [key: string]: unknown;
        };
        /**
         * @description Where the service `http` forwards to.
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
            /** @description Servers that share the requests. A path in an address stands before the path of each request. `${NAME}` stands for a variable of the environment, `${NAME:-text}` for the text where there is none. */
            targets: string[];
            /** @description Path to ask the upstream for, with the parameters of the endpoint's own path. Absent, the endpoint's path. */
            path?: string | null;
            /**
             * @description Headers to send along. `${NAME}` in a value stands for a variable of the environment, `${NAME:-text}` for the text where there is none; an empty value leaves the header out.
             * @default {}
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description How long the head of the response and the first byte of its body may take, retries included, in milliseconds.
             * @default 20000
             */
            timeout_ms?: number;
            /**
             * @description How often a request that is safe to repeat is sent again when the upstream fails.
             * @default 2
             */
            retries?: number;
        };
        /**
         * @description The operation of an OpenAPI document that says what the endpoint takes and answers.
         * @example {
         *       "document": "staff.openapi.json",
         *       "operation_id": "listStaffMembers"
         *     }
         */
        EndpointContract: {
            /** @description Path of the document (JSON or YAML), relative to the folder of endpoints.json. */
            document: string;
            /** @description The operationId in it. */
            operation_id: string;
        };
        /**
         * @description One endpoint of endpoints.json.
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
            /** @description Path from the root of the server. A segment such as `{name}` is a parameter. */
            path: string;
            /**
             * @description The HTTP method.
             * @default GET
             * @enum {string}
             */
            method?: "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
            /** @description Name of the service that answers, in any case. */
            service: string;
            /**
             * @description Whether the endpoint is served at all.
             * @default true
             */
            enabled?: boolean;
            /**
             * @description Whether a valid key is needed.
             * @default false
             */
            requires_auth?: boolean;
            /** @description Keys of this endpoint alone, written as in settings.json. They replace the global ones here. */
            api_keys?: string | null;
            /**
             * @description Scopes of which the key needs all. A key without them is answered with 403.
             * @default []
             */
            scopes?: string[];
            /** @description Requests to this endpoint that one owner, or one address without a key, may make in any 60 seconds, within the limits of the server. */
            rate_limit_per_minute?: number | null;
            /**
             * @description The longest that a response to GET is stored and reused, in seconds. What an upstream declares in Cache-Control or Expires comes first, and counts within this limit. 0 stores nothing.
             * @default 0
             */
            cache_seconds?: number;
            /** @description How long a response is reused that declares no freshness itself, in seconds. With 0 only what the upstream declares is reused. Absent, as long as `cache_seconds`. */
            cache_default_seconds?: number | null;
            /** @description What the endpoint does, for its documentation. Absent, the description of the service is taken. */
            description?: string | null;
            /** @description A line for lists. Absent, the description is taken, or else the summary of the service. */
            summary?: string | null;
            /**
             * @description Groups in which the documentation shows the endpoint.
             * @default []
             */
            tags?: string[];
            /**
             * @description Arguments of the service that this endpoint fixes or renames. What is not named here comes from the request by the name it has in the service.
             * @default {}
             */
            parameters?: {
                [key: string]: components["schemas"]["EndpointParameter"];
            };
            upstream?: components["schemas"]["EndpointUpstream"];
            contract?: components["schemas"]["EndpointContract"];
        };
        /**
         * @description One key, by its digest. The key itself is kept nowhere.
         * @example {
         *       "name": "ops",
         *       "owner": "team-a",
         *       "prefix": "rg_live_7Qx",
         *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
         *       "scopes": [
         *         "reports"
         *       ],
         *       "created_at": "2026-01-01T12:00:00.000Z",
         *       "expires_at": null,
         *       "revoked_at": null
         *     }
         */
        KeyEntry: {
            /** @description What logs and metrics call it. No two keys share a name. */
            name: string;
            /** @description Who holds it. The limit is counted per owner, however many keys one has. */
            owner: string;
            /**
             * @description What the key begins with, so that it can be told from others.
             * @default
             */
            prefix?: string;
            /** @description SHA-256 of the key in lower-case hexadecimal. */
            sha256: string;
            /**
             * @description What the key may do.
             * @default []
             */
            scopes?: string[];
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at?: string | null;
            /**
             * Format: date-time
             * @description When it ends; null for never.
             */
            expires_at?: string | null;
            /**
             * Format: date-time
             * @description When it was taken back; null if it was not.
             */
            revoked_at?: string | null;
        };
    };
    responses: {
        /** @description Any other error in the same form, of the statuses 406, 408, 414, 431, 501 and 503. */
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
        /** @description The caller's copy is still good (RFC 9110, section 15.4.5); sent when If-None-Match names it. */
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
        /** @description The request breaks the contract: a parameter is missing, malformed or not declared, or the body does not fit its schema. `errors` lists every fault. */
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
                 *       "title": "The request breaks the contract",
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
        /** @description Credentials are missing, wrong, expired, revoked, or sent in more than one way. */
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
        /** @description The quota is used up. A refused request costs nothing, so that waiting as long as `Retry-After` says is enough. */
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
        /** @description A fault of the server. The answer tells nothing of its inside; the log holds it under the same request id. */
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
        /** @description Nothing is found under this path, or nothing that the caller may know of. The two look the same. */
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
                 *       "title": "There is no such thing",
                 *       "status": 404,
                 *       "detail": "Nothing is found under this path. Check the identifiers in it.",
                 *       "instance": "/v2/staffmember",
                 *       "code": "not_found",
                 *       "kind": "NotFoundError",
                 *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description File name of an asset of the page. A name that the page does not use is 404.
         * @example page.css
         */
        Asset: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifier of this request, the same as in the log line and in `request_id` of a problem. A caller's own `X-Request-Id` is kept when it is well formed.
         * @example 01JD7Q2Z9V4M8T6C3K5N0R1WXY
         */
        RequestId: string;
        /**
         * @description What is left of each quota that applies (draft-ietf-httpapi-ratelimit-headers): `r` requests remain, and in `t` seconds there is room for one more. Absent when limits are switched off, and while nothing true can be said of them.
         * @example "default";r=59;t=60
         */
        RateLimit: string;
        /**
         * @description The quotas that apply (draft-ietf-httpapi-ratelimit-headers), each `q` requests in any `w` seconds: `default` over all routes, `endpoint` beside it where an endpoint has one of its own; `auxiliary` alone for pages, metrics and preflights, which use no client's quota. Absent when `RateLimit` is.
         * @example "default";q=60;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Seconds to wait before the same request can succeed (RFC 9110, section 10.2.3). Absent where it is not known how long.
         * @example 12
         */
        RetryAfter: number;
        /**
         * @description Version of what was asked for, as an entity tag (RFC 9110, section 8.8.3). It changes with every change and is sent back in If-Match or If-None-Match.
         * @example "7"
         */
        ETag: string;
        /**
         * @description The challenge that names the scheme to authenticate with (RFC 9110, section 11.6.1).
         * @example Bearer
         */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getLandingPage: {
        parameters: {
            query?: {
                /**
                 * @description Words that method, path, summary or tag of an endpoint must hold to be shown.
                 * @example crypto
                 */
                q?: string;
                /**
                 * @description Shows only the endpoints with this tag; empty for all.
                 * @example crypto
                 */
                tag?: string;
                /** @description Which part of a long list to show, counted from 1. The last one is shown in place of any beyond it. */
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
                 * @description File name of an asset of the page. A name that the page does not use is 404.
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
            /** @description The key is valid. */
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
            /** @description The verdict. */
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
            /** @description The endpoints and the services behind them. */
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
            /** @description The server answers. */
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
            /** @description The server can do its work. */
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
            /** @description The server cannot do its work. The response is the report itself. It is a problem only where a wrong key was sent that cannot be counted. */
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
                    /**
                     * @example {
                     *       "type": "urn:rostergate:problem:unavailable",
                     *       "title": "The service is not available now",
                     *       "status": 503,
                     *       "detail": "Requests cannot be counted now. Send the request again in a moment.",
                     *       "instance": "/health/ready",
                     *       "code": "unavailable",
                     *       "kind": "UnavailableError",
                     *       "request_id": "01JD7Q2Z9V4M8T6C3K5N0R1WXY"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["UnexpectedProblem"];
        };
    };
    getMetrics: {
        parameters: {
            query?: {
                /**
                 * @description How many routes the JSON form lists, the busiest first; all of them when absent. The Prometheus form always has all.
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
            /** @description The counts since the process started. */
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
                 * @description File name of an asset of the page. A name that the page does not use is 404.
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
                 * @description File name of an asset of the page. A name that the page does not use is 404.
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
/** The file settings.json. Every field may be absent, and may be given as `ROSTERGATE_<FIELD>` in the environment instead. */
export type Settings = components['schemas']['Settings'];
/** The file endpoints.json. Each enabled entry becomes a route of the gateway and a path of its contract. */
export type EndpointsFile = components['schemas']['EndpointsFile'];
/** The file keys.json, which `rostergate keys` writes. Only its owner may read it (mode 600). */
export type KeysFile = components['schemas']['KeysFile'];
/** One fault of a request, with its place - a member of the body, a parameter, or a header. */
export type ProblemFault = components['schemas']['ProblemFault'];
/** An error (RFC 9457, application/problem+json). `code` names the exact cause and `kind` its family; both are stable and meant for programs, `title` and `detail` are meant for people. Further members may be added. */
export type Problem = components['schemas']['Problem'];
/** The key that was sent is valid. */
export type AuthStatus = components['schemas']['AuthStatus'];
/** What the gateway thinks of the key that was sent, or of its absence. */
export type KeyVerdict = components['schemas']['KeyVerdict'];
/** One endpoint as it is served. */
export type Endpoint = components['schemas']['Endpoint'];
/** The configured endpoints that are really served, and the services behind them. */
export type EndpointList = components['schemas']['EndpointList'];
/** The server answers requests. */
export type Health = components['schemas']['Health'];
/** The process is alive. Nothing outside the process has any part in this answer. */
export type Liveness = components['schemas']['Liveness'];
/** State of one dependency. Members beside `status` depend on what it is, such as a count or the reason of a failure. */
export type ReadinessDependency = components['schemas']['ReadinessDependency'];
/** Whether the server can do its work, and the state of each thing that it depends on. */
export type Readiness = components['schemas']['Readiness'];
/** Counts of one route since the process started. */
export type EndpointMetrics = components['schemas']['EndpointMetrics'];
/** Counts since the process started. */
export type Metrics = components['schemas']['Metrics'];
/** An OpenAPI document. Its own specification says what else it holds. */
export type OpenapiDocument = components['schemas']['OpenapiDocument'];
/** Takes the argument from a parameter of the request. */
export type ParameterSource = components['schemas']['ParameterSource'];
/** Where an argument of the service comes from: a parameter of the request (an object with `source`), or the value that stands here. */
export type EndpointParameter = components['schemas']['EndpointParameter'];
/** Where the service `http` forwards to. */
export type EndpointUpstream = components['schemas']['EndpointUpstream'];
/** The operation of an OpenAPI document that says what the endpoint takes and answers. */
export type EndpointContract = components['schemas']['EndpointContract'];
/** One endpoint of endpoints.json. */
export type EndpointDefinition = components['schemas']['EndpointDefinition'];
/** One key, by its digest. The key itself is kept nowhere. */
export type KeyEntry = components['schemas']['KeyEntry'];
